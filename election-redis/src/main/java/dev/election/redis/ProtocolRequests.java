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
 * Sends the requests of the protocol, or opens ledgers: each as one script and one round trip, or several in one script, as many as fit
 * into a {@linkplain BatchSize bounded time} of Redis. A Cluster runs no script over several slots: there only elections whose keys have the
 * same hash tag share one.
 */
final class ProtocolRequests {

    /** Reply to a request, and all after it, that a script has not begun since it ran for long enough. */
    private static final List<String> LATER = List.of("later");

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
        return alone(pending(script, election, connection -> arguments));
    }

    private Pending pending(
            ProtocolScript script, String election, Function<StatefulConnection<String, String>, String[]> arguments) {
        String[] all = script.isOfMembers() ? keys.members() : keys.all(election);
        return new Pending(script, election, all[0], List.of(all), arguments, new CompletableFuture<>());
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
        pending.forEach(request -> slots.computeIfAbsent(SlotHash.getSlot(request.subject), slot -> new ArrayList<>())
                .add(request));
        return slots.values();
    }

    private void send(List<Pending> batch) {
        if (batch.size() == 1) {
            sendAlone(batch.get(0));
            return;
        }
        CompletionStage<?> unused = requests.run(
                        batch.get(0).subject,
                        scripts.together(),
                        batch.stream().flatMap(request -> request.keys.stream()).toArray(String[]::new),
                        connection -> arguments(batch, connection),
                        acknowledgement(batch, ProtocolRequests::repliesOf))
                .thenAccept(reply -> distribute(batch, reply))
                .whenComplete((done, failure) -> {
                    if (failure == null) {
                        return;
                    }
                    if (Failures.noAnswer(failure).problem() == StoreProblem.FORBIDDEN) {
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
                        request.subject,
                        scripts.of(request.script),
                        request.keys.toArray(String[]::new),
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

    /** Completes each request. Throws before it has sent any again if the reply is unreadable. */
    private void distribute(List<Pending> batch, ScriptReply ofScript) {
        List<List<String>> replies = repliesOf(ofScript.parts());
        int run = replies.contains(LATER) ? replies.indexOf(LATER) : batch.size();
        batchSize.took(
                renewals(batch.subList(0, run)), Long.parseLong(ofScript.parts().get(0)));
        // In their order, before what is asked because of a reply.
        sendAll(batch.subList(run, batch.size()));
        for (int i = 0; i < run; i++) {
            complete(batch.get(i), replies.get(i), ofScript);
        }
    }

    private void complete(Pending request, List<String> reply, ScriptReply ofScript) {
        try {
            if (reply.get(0).equals("error")) {
                throw requests.blame(ofScript.connection(), new RedisCommandExecutionException(reply.get(1)));
            }
            request.reply.complete(counted(request, reply, ofScript));
        } catch (RuntimeException failure) {
            request.reply.completeExceptionally(failure);
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
            return add(pending(script, election, arguments));
        }

        /** Adds the opening of the ledger at that key. */
        CompletionStage<List<String>> open(String election, String key, String... arguments) {
            return add(new Pending(
                    LedgerScript.OPEN,
                    election,
                    keys.lease(election),
                    List.of(key),
                    connection -> arguments,
                    new CompletableFuture<>()));
        }

        private CompletionStage<List<String>> add(Pending request) {
            pending.add(request);
            return request.reply;
        }

        boolean isEmpty() {
            return pending.isEmpty();
        }

        void send() {
            sendAll(pending);
        }

        /** Completes when each request has a reply, or has failed. */
        CompletableFuture<?> answered() {
            return CompletableFuture.allOf(pending.stream().map(Pending::reply).toArray(CompletableFuture[]::new));
        }
    }

    /**
     * A request without a reply.
     *
     * @param subject what it is about, in the slot of its keys
     */
    private record Pending(
            BatchedScript script,
            String election,
            String subject,
            List<String> keys,
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
