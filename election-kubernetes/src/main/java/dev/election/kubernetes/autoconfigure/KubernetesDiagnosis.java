package dev.election.kubernetes.autoconfigure;

import dev.election.autoconfigure.store.StoreDiagnosis;

/** Says why a context has no leases in Kubernetes. */
final class KubernetesDiagnosis implements StoreDiagnosis {

    @Override
    public String store() {
        return ElectionKubernetesAutoConfiguration.STORE;
    }
}
