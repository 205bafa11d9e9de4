package dev.election.redis;

import dev.election.StoreProblem;
import dev.election.redis.connection.Failures;
import dev.election.redis.connection.LuaScript;
import dev.election.redis.connection.RedisRequests;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.cluster.SlotHash;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;

/**
 * The requests of the protocol: each one script and one round trip, or one of several that a thread makes at the same time and that travel
 * together, as many as fit into a {@linkplain BatchSize bounded time} of Redis. A Cluster runs no script over several slots: there only
 * elections share one whose keys have the same hash tag.
 */
final class ProtocolRequests {

    /** As many renewals take as long as a campaign or a release. */
    static final double RENEWALS_FOR_ANOTHER = 2.5;

    private final RedisRequests requests;
    private final ElectionKeys keys;
    private final ScriptSet scripts;
    private final BatchSize batchSize = new BatchSize();

    /** What the present thread gathers; nothing while it gathers nothing. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<Gathering> gathered = new ThreadLocal<>();

    /** Who gathers a request of an election that has not been sent yet. */
    private final Map<String, Gathering> gatherers = new ConcurrentHashMap<>();

    ProtocolRequests(RedisRequests requests, ElectionKeys keys, ScriptSet scripts) {
        this.requests = requests;
        this.keys = keys;
        this.scripts = scripts;
    }

    /** Sends what the task asks for together, when it has ended. */
    void together(Runnable task) {
        if (gathered.get() != null) {
            task.run();
            return;
        }
        Gathering gathering = new Gathering();
        gathered.set(gathering);
        try {
            task.run();
        } finally {
            gathered.remove();
            sendAll(gathering.take());
        }
    }

    /** Runs a script for an election. */
    CompletionStage<List<String>> ask(LuaScript script, String election, String... arguments) {
        return ask(script, election, connection -> arguments);
    }

    CompletionStage<List<String>> ask(
            LuaScript script, String election, Function<StatefulConnection<String, String>, String[]> arguments) {
        Pending request = new Pending(script, election, arguments, new CompletableFuture<>());
        Gathering own = ScriptSet.TOGETHER.contains(script.name()) ? gathered.get() : null;
        Gathering earlier = gatherers.get(election);
        if (earlier != null && earlier != own) {
            // What this election has asked before must not be overtaken.
            sendAll(earlier.take());
        }
        if (own == null) {
            return alone(request);
        }
        own.add(request);
        return request.reply;
    }

    private void sendAll(List<Pending> pending) {
        for (Collection<Pending> oneScript : requests.isCluster() ? bySlot(pending) : List.of(pending)) {
            inBounds(oneScript).forEach(this::send);
        }
    }

    /** No more scripts than necessary, and all with as much to do. */
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
            done += request.renewals();
        }
        return batches;
    }

    private static double renewals(Collection<Pending> requests) {
        return requests.stream().mapToDouble(Pending::renewals).sum();
    }

    private Collection<List<Pending>> bySlot(List<Pending> pending) {
        Map<Integer, List<Pending>> slots = new LinkedHashMap<>();
        pending.forEach(request -> slots.computeIfAbsent(
                        SlotHash.getSlot(keys.lease(request.election)), slot -> new ArrayList<>())
                .add(request));
        return slots.values();
    }

    private void send(List<Pending> batch) {
        if (batch.size() == 1) {
            sendAlone(batch.get(0));
            return;
        }
        AtomicReference<StatefulConnection<String, String>> used = new AtomicReference<>();
        CompletionStage<?> unused = requests.run(
                        keys.lease(batch.get(0).election),
                        scripts.together(),
                        batch.stream()
                                .flatMap(request -> List.of(keys.all(request.election)).stream())
                                .toArray(String[]::new),
                        connection -> {
                            used.set(connection);
                            return arguments(batch, connection);
                        })
                .whenComplete((replies, failure) -> {
                    if (failure == null) {
                        distribute(batch, replies, Objects.requireNonNull(used.get()));
                    } else if (Failures.noAnswer(failure).problem() == StoreProblem.FORBIDDEN) {
                        // For the keys of one of them, perhaps, and then for all; nothing was run.
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
                keys.lease(request.election), request.script, keys.all(request.election), request.arguments);
    }

    private static String[] arguments(List<Pending> batch, StatefulConnection<String, String> connection) {
        BatchArguments all = new BatchArguments(batch.size());
        for (Pending request : batch) {
            all.add(request.script.name(), request.arguments.apply(connection));
        }
        return all.all().toArray(String[]::new);
    }

    private void distribute(List<Pending> batch, List<String> replies, StatefulConnection<String, String> connection) {
        batchSize.took(renewals(batch), Long.parseLong(replies.get(0)));
        int next = 1;
        for (Pending request : batch) {
            int count = Integer.parseInt(replies.get(next));
            List<String> reply = List.copyOf(replies.subList(next + 1, next + 1 + count));
            next += 1 + count;
            if (reply.get(0).equals("error")) {
                request.reply.completeExceptionally(
                        requests.blame(connection, new RedisCommandExecutionException(reply.get(1))));
            } else {
                request.reply.complete(reply);
            }
        }
    }

    /** What one thread has asked for and not sent yet. Another takes it over that must not overtake it. */
    private final class Gathering {

        private List<Pending> pending = new ArrayList<>();

        synchronized void add(Pending request) {
            pending.add(request);
            gatherers.put(request.election, this);
        }

        synchronized List<Pending> take() {
            List<Pending> taken = pending;
            pending = new ArrayList<>();
            taken.forEach(request -> gatherers.remove(request.election, this));
            return taken;
        }
    }

    private record Pending(
            LuaScript script,
            String election,
            Function<StatefulConnection<String, String>, String[]> arguments,
            CompletableFuture<List<String>> reply) {

        /** As how many renewals it takes. */
        double renewals() {
            return script.name().equals("renew") ? 1 : RENEWALS_FOR_ANOTHER;
        }

        void complete(List<String> result, Throwable failure) {
            if (failure == null) {
                reply.complete(result);
            } else {
                reply.completeExceptionally(failure);
            }
        }
    }
}
