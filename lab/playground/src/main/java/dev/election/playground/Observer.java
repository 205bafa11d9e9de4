package dev.election.playground;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Asks the replicas what they know. */
final class Observer {

    /** A replica that is well answers in milliseconds. */
    private static final Duration PATIENCE = Duration.ofMillis(700);

    private static final CompletableFuture<@Nullable JsonNode> NO_ANSWER = CompletableFuture.completedFuture(null);

    private final HttpClient http = HttpClient.newHttpClient();
    private final JsonMapper json = new JsonMapper();
    private final Machine machine;

    Observer(Machine machine) {
        this.machine = machine;
    }

    String stateAsJson() {
        // One that reaches Redis says what is there.
        CompletableFuture<@Nullable JsonNode> store = machine.members().stream()
                .filter(member -> !member.isCutOff() && answers(member))
                .findFirst()
                .map(member -> ask(member, "leader/default"))
                .orElse(NO_ANSWER);
        List<CompletableFuture<ReplicaState>> replicas =
                machine.members().stream().map(this::stateOf).toList();
        return json.writeValueAsString(new State(
                replicas.stream().map(CompletableFuture::join).toList(),
                RedisState.of(machine.redis()),
                store.join(),
                machine.journal().events(),
                machine.journal().jobs(),
                machine.journal().slots()));
    }

    /** With what the replica knows from memory. */
    private CompletableFuture<ReplicaState> stateOf(Member member) {
        CompletableFuture<@Nullable JsonNode> answer = answers(member) ? ask(member, "leader") : NO_ANSWER;
        return answer.thenApply(says -> ReplicaState.of(member, says));
    }

    private static boolean answers(Member member) {
        return member.state() == Member.State.RUNNING && member.address().isPresent();
    }

    private CompletableFuture<@Nullable JsonNode> ask(Member member, String what) {
        URI address = URI.create(member.address().orElseThrow() + "/actuator/" + what);
        return http.sendAsync(HttpRequest.newBuilder(address).build(), HttpResponse.BodyHandlers.ofString())
                .thenApply(HttpResponse::body)
                .<@Nullable JsonNode>thenApply(json::readTree)
                .completeOnTimeout(null, PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                .exceptionally(noAnswer -> null);
    }
}
