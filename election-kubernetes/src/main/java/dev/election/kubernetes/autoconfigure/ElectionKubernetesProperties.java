package dev.election.kubernetes.autoconfigure;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the lease store in Kubernetes. In a pod none is needed.
 *
 * @param prefix the beginning of the names of all Leases; applications in one namespace that must not share an election need different ones
 * @param namespace the namespace of the Leases, that of the pod or of the kubeconfig unless set
 * @param kubeconfig the kubeconfig whose current context is used; outside a pod $KUBECONFIG or ~/.kube/config unless set
 * @param labelPod whether to label the leader's pod with election.dev/{election}=leader, which takes rights on pods
 */
@ConfigurationProperties("election.kubernetes")
public record ElectionKubernetesProperties(
        @DefaultValue("election") String prefix,
        @Nullable String namespace,
        @Nullable Path kubeconfig,
        @DefaultValue("false") boolean labelPod) {}
