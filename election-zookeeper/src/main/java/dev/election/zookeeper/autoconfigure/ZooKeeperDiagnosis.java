package dev.election.zookeeper.autoconfigure;

import dev.election.autoconfigure.store.MissingStore;
import dev.election.autoconfigure.store.StoreDiagnosis;
import org.springframework.beans.factory.ListableBeanFactory;

/** Says why a context has no leases in ZooKeeper. */
final class ZooKeeperDiagnosis implements StoreDiagnosis {

    @Override
    public String store() {
        return ElectionZooKeeperAutoConfiguration.STORE;
    }

    @Override
    public MissingStore missing(ListableBeanFactory beans) {
        return new MissingStore(
                "the auto-configuration of the store over ZooKeeper is not part of this context",
                "Let @EnableAutoConfiguration apply ElectionZooKeeperAutoConfiguration.");
    }
}
