package dev.election.redis;

import dev.election.StoreProblem;
import dev.election.redis.internal.failure.Failures;
import dev.election.redis.internal.failure.UnacknowledgedException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Counts the replicas that must acknowledge a grant or a renewal before its reply counts. Refusals and releases need none: after them no
 * node believes that it leads.
 */
final class Acknowledgements {

    private static final Set<String> SUCCESSES = Set.of("granted", "renewed");

    private final AcknowledgingReplicas replicas;

    /** Number of replicas that each election needed last, as its record said. The members of a Cluster may have different numbers of replicas. */
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    Acknowledgements(AcknowledgingReplicas replicas) {
        this.replicas = replicas;
    }

    /** Returns the commands needed for acknowledgements that the user may not run; none if the server does not answer. */
    CompletionStage<Set<String>> refused(RedisClusterAsyncCommands<String, String> redis) {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        CompletionStage<?> wait = replicas.isNone() ? done() : noting("WAIT", redis.waitForReplication(0, 1), refused);
        // replicas.lua reads it to count the replicas.
        CompletionStage<?> info = replicas.isAll() ? noting("INFO", redis.info("replication"), refused) : done();
        return wait.thenCombine(info, (waited, told) -> new TreeSet<>(refused));
    }

    private static CompletionStage<?> noting(String command, CompletionStage<?> reply, Set<String> refused) {
        return reply.handle((done, failure) -> failure != null
                && Failures.noAnswer(failure).problem() == StoreProblem.FORBIDDEN
                && refused.add(command));
    }

    private static CompletionStage<?> done() {
        return CompletableFuture.completedFuture(true);
    }

    boolean areNeededFor(BatchedScript script) {
        return !replicas.isNone() && script.isGranting();
    }

    /** Number of replicas that the next grant or renewal of an election is likely to need. */
    int expected(String election) {
        return replicas.isAll() ? known.getOrDefault(election, 1) : replicas.number();
    }

    /** Number of replicas that must acknowledge the writes of the script before this reply counts. */
    int needed(String election, List<String> reply) {
        if (!SUCCESSES.contains(reply.get(0))) {
            return 0;
        }
        if (!replicas.isAll()) {
            return replicas.number();
        }
        int needed = Integer.parseInt(reply.get(reply.size() - 1));
        known.put(election, needed);
        return needed;
    }

    /** Returns the reply without the number of replicas that replicas.lua adds. Fails if too few have acknowledged. */
    List<String> acknowledged(String election, List<String> reply, int count) {
        int needed = needed(election, reply);
        if (count < needed) {
            throw new UnacknowledgedException(count, needed);
        }
        return needed > 0 && replicas.isAll() ? reply.subList(0, reply.size() - 1) : reply;
    }
}
