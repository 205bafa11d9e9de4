package dev.election.redis;

import dev.election.StoreProblem;
import dev.election.redis.internal.Failures;
import dev.election.redis.internal.UnacknowledgedException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Which replies count only once replicas have acknowledged what the script wrote: grants and renewals. A refused candidate believes nothing, and
 * after a release nobody does.
 */
final class Acknowledgements {

    private static final Set<String> SUCCESSES = Set.of("granted", "renewed");

    private final AcknowledgingReplicas replicas;

    /** How many each election needed last, where its record says so. The members of a Cluster may have different numbers of replicas. */
    private final Map<String, Integer> known = new ConcurrentHashMap<>();

    Acknowledgements(AcknowledgingReplicas replicas) {
        this.replicas = replicas;
    }

    /** Which commands the user may not run of those that this takes. Tells nothing of a server that does not answer. */
    CompletionStage<Set<String>> refused(RedisClusterAsyncCommands<String, String> redis) {
        Set<String> refused = ConcurrentHashMap.newKeySet();
        CompletionStage<?> wait = replicas.isNone() ? done() : noting("WAIT", redis.waitForReplication(0, 1), refused);
        // The script that counts the replicas asks for it.
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

    boolean areNeededFor(ProtocolScript script) {
        return !replicas.isNone() && script.isGranting();
    }

    /** How many its next grant or renewal is likely to need. */
    int expected(String election) {
        return replicas.isAll() ? known.getOrDefault(election, 1) : replicas.number();
    }

    /** How many have to acknowledge what led to that reply. */
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

    /** The reply as the script gives it where it depends on no replicas; fails if too few have acknowledged. */
    List<String> acknowledged(String election, List<String> reply, int count) {
        int needed = needed(election, reply);
        if (count < needed) {
            throw new UnacknowledgedException(count, needed);
        }
        return needed > 0 && replicas.isAll() ? reply.subList(0, reply.size() - 1) : reply;
    }
}
