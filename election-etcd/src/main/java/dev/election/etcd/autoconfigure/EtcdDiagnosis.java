package dev.election.etcd.autoconfigure;

import dev.election.autoconfigure.store.StoreDiagnosis;

/** Says why a context has no leases in etcd. */
final class EtcdDiagnosis implements StoreDiagnosis {

    @Override
    public String store() {
        return ElectionEtcdAutoConfiguration.STORE;
    }
}
