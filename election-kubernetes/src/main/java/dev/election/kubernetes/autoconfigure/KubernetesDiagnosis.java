package dev.election.kubernetes.autoconfigure;

import dev.election.autoconfigure.store.MissingStore;
import dev.election.autoconfigure.store.StoreDiagnosis;
import org.springframework.beans.factory.ListableBeanFactory;

/** Says why a context has no leases in Kubernetes. */
final class KubernetesDiagnosis implements StoreDiagnosis {

    @Override
    public String store() {
        return ElectionKubernetesAutoConfiguration.STORE;
    }

    @Override
    public MissingStore missing(ListableBeanFactory beans) {
        return new MissingStore(
                "the auto-configuration of the store over Kubernetes is not part of this context",
                "Let @EnableAutoConfiguration apply ElectionKubernetesAutoConfiguration.");
    }
}
