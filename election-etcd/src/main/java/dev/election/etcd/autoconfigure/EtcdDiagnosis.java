package dev.election.etcd.autoconfigure;

import dev.election.autoconfigure.store.MissingStore;
import dev.election.autoconfigure.store.StoreDiagnosis;
import org.springframework.beans.factory.ListableBeanFactory;

/** Says why a context has no leases in etcd. */
final class EtcdDiagnosis implements StoreDiagnosis {

    @Override
    public String store() {
        return ElectionEtcdAutoConfiguration.STORE;
    }

    @Override
    public MissingStore missing(ListableBeanFactory beans) {
        return new MissingStore(
                "the auto-configuration of the store over etcd is not part of this context",
                "Let @EnableAutoConfiguration apply ElectionEtcdAutoConfiguration.");
    }
}
