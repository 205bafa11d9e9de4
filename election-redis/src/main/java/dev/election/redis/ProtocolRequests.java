package dev.election.redis;

import dev.election.StoreProblem;
import dev.election.redis.internal.failure.Failures;
import dev.election.redis.internal.failure.UnacknowledgedException;
import dev.election.redis.internal.requests.Acknowledgement;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.redis.internal.requests.ScriptReply;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Sends the requests of the protocol: each as one script and one round trip, or several in one script, as many as fit into a {@linkplain
 * BatchSize bounded time} of Redis. A Cluster runs no script over several slots: there only elections whose keys have the same hash tag
 * share one.
 */
final class ProtocolRequests {

    private final RedisRequests requests;
    private final ElectionKeys keys;
    private final ScriptSet scripts;
    private final Acknowledgements acknowledgements;
    private final BatchSize batchSize = new BatchSize();

    ProtocolRequests(RedisRequests requests, ElectionKeys keys, ScriptSet scripts, Acknowledgements acknowledgements) {
        this.requests = requests;
        this.keys = keys;
        this.scripts = scripts;
        this.acknowledgements = acknowledgements;
    }

    /** Begins a batch. */
    RequestBatch batch() {
        return new RequestBatch();
    }

    /** Runs a script for an election. */
    CompletionStage<List<String>> ask(ProtocolScript script, String election, String... arguments) {
        return alone(new Pending(script, election, connection -> arguments, new CompletableFuture<>()));
    }

    private String[] keysOf(Pending request) {
        return request.script.isOfMembers() ? keys.members() : keys.all(request.election);
    }

    private String subject(Pending request) {
        return keysOf(request)[0];
    }

    /** Removes a member. */
    CompletionStage<List<String>> leave(String... arguments) {
        return ask(ProtocolScript.LEAVE, "", arguments);
    }

    private void sendAll(List<Pending> pending) {
        for (Collection<Pending> oneScript : requests.isCluster() ? bySlot(pending) : List.of(pending)) {
            inBounds(oneScript).forEach(this::send);
        }
    }

    /** Splits requests into as few scripts as necessary, all with about the same work. */
    private List<List<Pending>> inBounds(Collection<Pending> requests) {
        double all = renewals(requests);
        double scripts = Math.ceil(all / batchSize.renewals());
        List<List<Pending>> batches = new ArrayList<>();
        double done = 0;
        for (Pending request : requests) {
            if (done * scripts >= all * batches.size()) {
                batches.add(new ArrayList<>());
            }
            batches.get(batches.size() - 1).add(request);
            done += request.script.renewals();
        }
        return batches;
    }

    private static double renewals(Collection<Pending> requests) {
        return requests.stream()
                .mapToDouble(request -> request.script.renewals())
                .sum();
    }

    private Collection<List<Pending>> bySlot(List<Pending> pending) {
        Map<Integer, List<Pending>> slots = new LinkedHashMap<>();
        pending.forEach(request -> slots.computeIfAbsent(SlotHash.getSlot(subject(request)), slot -> new ArrayList<>())
                .add(request));
        return slots.values();
    }

    private void send(List<Pending> batch) {
        if (batch.size() == 1) {
            sendAlone(batch.get(0));
            return;
        }
        CompletionStage<?> unused = requests.run(
                        subject(batch.get(0)),
                        scripts.together(),
                        batch.stream()
                                .flatMap(request -> List.of(keysOf(request)).stream())
                                .toArray(String[]::new),
                        connection -> arguments(batch, connection),
                        acknowledgement(batch, ProtocolRequests::repliesOf))
                .whenComplete((reply, failure) -> {
                    if (failure == null) {
                        distribute(batch, reply);
                    } else if (Failures.noAnswer(failure).problem() == StoreProblem.FORBIDDEN) {
                        // Redis ran nothing, and perhaps only the keys of one election are forbidden.
                        batch.forEach(this::sendAlone);
                    } else {
                        batch.forEach(request -> request.reply.completeExceptionally(failure));
                    }
                });
    }

    private void sendAlone(Pending request) {
        CompletionStage<?> unused = alone(request).whenComplete(request::complete);
    }

    private CompletionStage<List<String>> alone(Pending request) {
        return requests.run(
                        subject(request),
                        scripts.of(request.script),
                        keysOf(request),
                        request.arguments,
                        acknowledgement(List.of(request), List::of))
                .thenApply(reply -> counted(request, reply.parts(), reply));
    }

    /** Waits for as many replicas as the election needs that needs most. */
    private Acknowledgement acknowledgement(List<Pending> batch, Function<List<String>, List<List<String>>> repliesOf) {
        if (batch.stream().noneMatch(request -> acknowledgements.areNeededFor(request.script))) {
            return Acknowledgement.NONE;
        }
        return new Acknowledgement() {
            @Override
            public int expected() {
                return batch.stream()
                        .mapToInt(request -> acknowledgements.expected(request.election))
                        .max()
                        .orElse(0);
            }

            @Override
            public int needed(List<String> reply) {
                List<List<String>> replies = repliesOf.apply(reply);
                return IntStream.range(0, batch.size())
                        .map(i -> acknowledgements.needed(batch.get(i).election, replies.get(i)))
                        .max()
                        .orElse(0);
            }
        };
    }

    /** Returns the reply to one request; fails if too few replicas have acknowledged what it grants. */
    private List<String> counted(Pending request, List<String> reply, ScriptReply ofScript) {
        try {
            return acknowledgements.acknowledged(request.election, reply, ofScript.acknowledged());
        } catch (UnacknowledgedException tooFew) {
            throw requests.blame(ofScript.connection(), tooFew);
        }
    }

    private static String[] arguments(List<Pending> batch, StatefulConnection<String, String> connection) {
        BatchArguments all = new BatchArguments(batch.size());
        for (Pending request : batch) {
            all.add(request.script.text(), request.arguments.apply(connection));
        }
        return all.all().toArray(String[]::new);
    }

    private void distribute(List<Pending> batch, ScriptReply ofScript) {
        batchSize.took(renewals(batch), Long.parseLong(ofScript.parts().get(0)));
        List<List<String>> replies = repliesOf(ofScript.parts());
        for (int i = 0; i < batch.size(); i++) {
            complete(batch.get(i), replies.get(i), ofScript);
        }
    }

    private void complete(Pending request, List<String> reply, ScriptReply ofScript) {
        if (reply.get(0).equals("error")) {
            request.reply.completeExceptionally(
                    requests.blame(ofScript.connection(), new RedisCommandExecutionException(reply.get(1))));
            return;
        }
        try {
            request.reply.complete(counted(request, reply, ofScript));
        } catch (RuntimeException uncounted) {
            request.reply.completeExceptionally(uncounted);
        }
    }

    /** Splits the reply of together.lua into the replies to each request. */
    private static List<List<String>> repliesOf(List<String> parts) {
        List<List<String>> replies = new ArrayList<>();
        for (int next = 1; next < parts.size(); ) {
            int end = next + 1 + Integer.parseInt(parts.get(next));
            replies.add(List.copyOf(parts.subList(next + 1, end)));
            next = end;
        }
        return replies;
    }

    /** Requests of several elections, which are sent together. */
    final class RequestBatch {

        private final List<Pending> pending = new ArrayList<>();

        /** Adds the beat of a member. */
        CompletionStage<List<String>> beat(String... arguments) {
            return ask(ProtocolScript.BEAT, "", connection -> arguments);
        }

        /** Adds a request. */
        CompletionStage<List<String>> ask(
                ProtocolScript script,
                String election,
                Function<StatefulConnection<String, String>, String[]> arguments) {
            Pending request = new Pending(script, election, arguments, new CompletableFuture<>());
            pending.add(request);
            return request.reply;
        }

        void send() {
            sendAll(pending);
        }
    }

    private record Pending(
            ProtocolScript script,
            String election,
            Function<StatefulConnection<String, String>, String[]> arguments,
            CompletableFuture<List<String>> reply) {

        void complete(List<String> result, Throwable failure) {
            if (failure == null) {
                reply.complete(result);
            } else {
                reply.completeExceptionally(failure);
            }
        }
    }
}
