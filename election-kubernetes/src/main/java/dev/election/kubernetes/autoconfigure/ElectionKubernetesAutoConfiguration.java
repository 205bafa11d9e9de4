package dev.election.kubernetes.autoconfigure;

import static dev.election.ElectionConfigurationException.valid;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.autoconfigure.store.ConditionalOnStore;
import dev.election.autoconfigure.store.MissingStore;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.kubernetes.KubernetesLeaseStore;
import dev.election.kubernetes.KubernetesSettings;
import dev.election.store.LeaseStore;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The lease store in Kubernetes, with the service account of the pod or a kubeconfig. */
@AutoConfiguration(before = ElectionAutoConfiguration.class)
@ConditionalOnClass(KubernetesLeaseStore.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnStore(ElectionKubernetesAutoConfiguration.STORE)
@EnableConfigurationProperties({ElectionProperties.class, ElectionKubernetesProperties.class})
public final class ElectionKubernetesAutoConfiguration {

    static final String STORE = "kubernetes";

    private static final String PREFIX = "election.kubernetes.prefix";

    @Bean
    @ConditionalOnMissingBean({LeaseStore.class, Elections.class, KubernetesAccess.class})
    KubernetesAccess electionKubernetesAccess(ElectionKubernetesProperties kubernetes) {
        KubernetesAccess access = access(kubernetes);
        String namespace = kubernetes.namespace();
        return namespace == null
                ? access
                : valid(
                        "election.kubernetes.namespace",
                        () -> new KubernetesAccess(access.server(), namespace, access.credentials()));
    }

    private static KubernetesAccess access(ElectionKubernetesProperties kubernetes) {
        if (kubernetes.kubeconfig() != null) {
            return KubeConfig.read(kubernetes.kubeconfig());
        }
        try {
            return KubernetesAccess.isInPod() ? KubernetesAccess.inPod() : KubeConfig.read(KubeConfig.usual());
        } catch (IllegalStateException notMounted) {
            throw MissingStore.unusable(
                    "The API server of Kubernetes is not known: " + notMounted.getMessage(),
                    "Let the pod mount its service account (automountServiceAccountToken).",
                    notMounted);
        }
    }

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean({LeaseStore.class, Elections.class})
    KubernetesLeaseStore electionLeaseStore(
            KubernetesAccess access,
            ElectionProperties properties,
            ElectionKubernetesProperties kubernetes,
            Environment environment) {
        String pod = kubernetes.labelPod() ? pod(environment) : null;
        KubernetesLeaseStore store = KubernetesLeaseStore.open(
                access,
                properties.shortestLease(),
                valid(
                        PREFIX,
                        () -> new KubernetesSettings(
                                kubernetes.prefix(), KubernetesSettings.DEFAULT.history(), pod, PREFIX)));
        properties.requireLeasesFor(store.traits());
        return store;
    }

    private static String pod(Environment environment) {
        String pod = environment.getProperty("POD_NAME");
        if (pod == null || !pod.matches("[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?")) {
            throw ElectionConfigurationException.ofProperty(
                    "election.kubernetes.label-pod",
                    "The pod to label is named by the environment variable POD_NAME, which is "
                            + (pod == null ? "not set" : "'" + pod + "'")
                            + ": let the Deployment set it from metadata.name (downward API)",
                    null);
        }
        return pod;
    }
}
