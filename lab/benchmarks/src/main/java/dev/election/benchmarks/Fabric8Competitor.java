package dev.election.benchmarks;

import dev.election.harness.ApiServer;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A node with an elector of fabric8's client for each election, with the periods that its documentation shows. */
final class Fabric8Competitor implements Competitor {

    private static final Duration RENEW_DEADLINE = Duration.ofSeconds(10);
    private static final Duration RETRY_PERIOD = Duration.ofSeconds(2);

    private final String id;
    private final KubernetesClient client;
    private final Duration lease;
    private final List<String> elections;
    private final List<CompletableFuture<?>> running = new ArrayList<>();

    Fabric8Competitor(String id, URI server, Path certificate, Duration lease, List<String> elections) {
        this.id = id;
        this.lease = lease;
        this.elections = elections;
        this.client = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl(server.toString())
                        .withNamespace(ApiServer.NAMESPACE)
                        .withOauthToken(ApiServer.ADMIN)
                        .withCaCertFile(certificate.toString())
                        .build())
                .build();
    }

    @Override
    public void start(Runnable leads) {
        for (String election : elections) {
            running.add(client.leaderElector()
                    .withConfig(new LeaderElectionConfigBuilder()
                            .withName(election)
                            .withLock(new LeaseLock(ApiServer.NAMESPACE, election, id))
                            .withLeaseDuration(lease)
                            .withRenewDeadline(RENEW_DEADLINE)
                            .withRetryPeriod(RETRY_PERIOD)
                            .withReleaseOnCancel(true)
                            .withLeaderCallbacks(new LeaderCallbacks(leads, () -> {}, leader -> {}))
                            .build())
                    .build()
                    .start());
        }
    }

    @Override
    public void stop() {
        running.forEach(one -> one.cancel(true));
    }
}
