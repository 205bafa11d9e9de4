package dev.election.kubernetes.internal;

import dev.election.http.Json;
import dev.election.http.ProvenConnection;
import dev.election.record.KeptConnections;
import dev.election.store.NoAnswer;
import dev.election.support.LogLimit;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The label of the leader's pod, for a Service that selects it. It follows the lease late and proves nothing: a leader that dies keeps it until the
 * next one takes it away.
 */
public final class PodLabel implements AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(PodLabel.class);

    private static final String PREFIX = "election.dev/";
    private static final String LEADER = "leader";

    /** A release waits for no longer until the label is gone. */
    private static final Duration LONGEST = Duration.ofSeconds(1);

    private final KeptConnections<ProvenConnection> connections;
    private final ApiServer api;
    private final String pod;
    private final LogLimit warnings = LogLimit.once();

    /** The elections whose label could not be set. */
    private final Set<String> missing = ConcurrentHashMap.newKeySet();

    PodLabel(KeptConnections<ProvenConnection> connections, ApiServer api, String pod) {
        this.connections = connections;
        this.api = api;
        this.pod = pod;
    }

    /** Labels this pod, and no other one. */
    public void put(String election) {
        String label = label(election);
        CompletionStage<Void> unused = ask(connection -> {
                    for (Map<String, Object> other : api.pods(connection, label + "=" + LEADER)) {
                        String name = Json.text(other, "name");
                        if (!name.equals(pod)) {
                            api.patchPod(connection, name, removal(Json.text(other, "uid"), label));
                        }
                    }
                    api.labelPod(connection, pod, label, LEADER);
                })
                .thenAccept(done -> {
                    if (!done) {
                        missing.add(election);
                    }
                });
    }

    /** Labels this pod if that has failed before. */
    public void putAgain(String election) {
        if (missing.remove(election)) {
            put(election);
        }
    }

    /** Removes the label from this pod. Completes soon in any case. */
    public CompletionStage<?> remove(String election) {
        String label = label(election);
        missing.remove(election);
        return ask(connection -> api.labelPod(connection, pod, label, null))
                .toCompletableFuture()
                .completeOnTimeout(false, LONGEST.toMillis(), TimeUnit.MILLISECONDS);
    }

    @Override
    public void close() {
        connections.close();
    }

    private interface Step {

        void run(ProvenConnection connection) throws IOException;
    }

    private CompletionStage<Boolean> ask(Step step) {
        return connections.ask(
                connection -> {
                    step.run(connection);
                    warnings.ends(pod);
                    return true;
                },
                this::warned);
    }

    private boolean warned(NoAnswer failed) {
        if (warnings.begins(pod)) {
            log.warn(
                    "Failed to label the pod {} of the leader, so its Service may select another one: {}. Grant list and patch of"
                            + " pods by a Role of its own",
                    pod,
                    failed.detail());
        }
        return false;
    }

    private static List<Map<String, Object>> removal(String uid, String label) {
        return List.of(
                Map.of("op", "test", "path", "/metadata/uid", "value", uid),
                Map.of("op", "remove", "path", "/metadata/labels/" + label.replace("/", "~1")));
    }

    /** Returns the label of an election: its name where that can be one. */
    static String label(String election) {
        if (LeaseNames.isLabel(election)) {
            return PREFIX + election;
        }
        String shown = election.replaceAll("[^-A-Za-z0-9_.]", "_").replaceAll("^[-_.]+", "");
        return PREFIX + shown.substring(0, Math.min(shown.length(), 50)) + "-"
                + LeaseNames.hash(election).substring(0, 8);
    }

    /** Returns the body of a patch that sets a label, or removes it. */
    static String merge(String label, @Nullable String value) {
        return Json.write(Map.of("metadata", Map.of("labels", Collections.singletonMap(label, value))));
    }
}
