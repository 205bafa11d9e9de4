package dev.election.zookeeper.autoconfigure;

import dev.election.autoconfigure.store.StoreDiagnosis;

/** Says why a context has no leases in ZooKeeper. */
final class ZooKeeperDiagnosis implements StoreDiagnosis {

    @Override
    public String store() {
        return ElectionZooKeeperAutoConfiguration.STORE;
    }
}
