package dev.election.redis.internal.failure;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.cluster.PartitionException;
import io.netty.channel.ConnectTimeoutException;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.stream.Collectors;

/** Translates exceptions of the Redis client into problems of an election. */
public final class Failures {

    /** Marks of the errors of Redis: the first word or, within a script, one anywhere. The order matters: the specific come first. */
    private static final List<Map.Entry<String, StoreProblem>> MARKS = List.of(
            Map.entry("NEWERFORMAT", StoreProblem.NEWER_FORMAT),
            Map.entry("WRONGPASS", StoreProblem.UNAUTHENTICATED),
            Map.entry("NOAUTH", StoreProblem.UNAUTHENTICATED),
            Map.entry("invalid password", StoreProblem.UNAUTHENTICATED),
            Map.entry("invalid username-password", StoreProblem.UNAUTHENTICATED),
            Map.entry("NOPERM", StoreProblem.FORBIDDEN),
            Map.entry("No permissions", StoreProblem.FORBIDDEN),
            Map.entry("ACL failure in script", StoreProblem.FORBIDDEN),
            Map.entry("can't run this command", StoreProblem.FORBIDDEN),
            Map.entry("can't access", StoreProblem.FORBIDDEN),
            Map.entry("can't publish", StoreProblem.FORBIDDEN),
            Map.entry("Unknown Redis command called from", StoreProblem.FORBIDDEN),
            Map.entry("unknown command", StoreProblem.FORBIDDEN),
            Map.entry("READONLY", StoreProblem.READ_ONLY),
            Map.entry("against a read only replica", StoreProblem.READ_ONLY),
            Map.entry("MASTERDOWN", StoreProblem.READ_ONLY),
            Map.entry("WAIT cannot be used with replica", StoreProblem.READ_ONLY),
            Map.entry("UNBLOCKED", StoreProblem.READ_ONLY),
            Map.entry("NOREPLICAS", StoreProblem.TOO_FEW_REPLICAS),
            Map.entry("Not enough good replicas", StoreProblem.TOO_FEW_REPLICAS),
            Map.entry("LOADING", StoreProblem.LOADING),
            Map.entry("BUSY Redis", StoreProblem.BUSY),
            Map.entry("max number of clients", StoreProblem.TOO_MANY_CONNECTIONS),
            Map.entry("MISCONF", StoreProblem.CANNOT_PERSIST),
            Map.entry("RDB snapshots", StoreProblem.CANNOT_PERSIST),
            Map.entry("OOM", StoreProblem.OUT_OF_MEMORY),
            Map.entry("used memory > 'maxmemory'", StoreProblem.OUT_OF_MEMORY),
            Map.entry("CLUSTERDOWN", StoreProblem.CLUSTER_DOWN),
            Map.entry("MOVED ", StoreProblem.CLUSTER_DOWN),
            Map.entry("WRONGTYPE", StoreProblem.WRONG_TYPE),
            Map.entry("wrong kind of value", StoreProblem.WRONG_TYPE));

    private static final Set<StoreProblem> UNANSWERED =
            EnumSet.of(StoreProblem.UNREACHABLE, StoreProblem.TIMED_OUT, StoreProblem.UNKNOWN);

    private Failures() {}

    /** The problem behind a failure, as the reply to a request. */
    public static NoAnswer noAnswer(Throwable failure) {
        return classified(failure).answer();
    }

    /**
     * The problem behind a failure, with an action that calls the settings of the store by their names.
     *
     * @param keyPrefix the name of the prefix of the keys
     * @param acknowledgingReplicas the name of the number of replicas that have to acknowledge
     */
    public static NoAnswer noAnswer(Throwable failure, String keyPrefix, String acknowledgingReplicas) {
        ClassifiedFailure known = classified(failure);
        NoAnswer answer = known.answer();
        return new NoAnswer(
                answer.problem(),
                answer.detail(),
                new RedisActions(keyPrefix, acknowledgingReplicas)
                        .of(answer.problem(), answer.detail(), isUnacknowledged(known)));
    }

    /** Classifies a failure. One that is classified already, or was caused by such a failure, keeps that meaning. */
    public static ClassifiedFailure classified(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof ClassifiedFailure known) {
                return known;
            }
        }
        return classify(failure);
    }

    private static ClassifiedFailure classify(Throwable failure) {
        Throwable cause = unwrapped(failure);
        StoreProblem problem = problem(cause);
        String detail = detail(cause);
        return new ClassifiedFailure(
                new NoAnswer(problem, detail, RedisActions.DEFAULT.of(problem, detail, isUnacknowledged(cause))),
                cause);
    }

    private static Throwable unwrapped(Throwable failure) {
        Throwable cause = failure;
        while ((cause instanceof CompletionException || cause instanceof ExecutionException)
                && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** Kind of refusal of a connection by a server that was not silent. */
    public static ConnectFailure refusal(Throwable failure) {
        return isDenial(failure)
                ? ConnectFailure.DENIED
                : isHangUp(failure) ? ConnectFailure.HUNG_UP : ConnectFailure.REFUSED;
    }

    /**
     * Whether the server has closed the connection during its setup without a message that has arrived. False if several servers were
     * asked, since each may have failed in its own way.
     */
    public static boolean isHangUp(Throwable failure) {
        if (failure.getSuppressed().length > 0) {
            return false;
        }
        String detail = detail(failure);
        // The second: the client looked for its handshake in a connection that had ended by then.
        return detail.contains("closed prematurely") || detail.contains("RedisHandshakeHandler not registered");
    }

    /** Whether the server has replied, if only with an error. */
    public static boolean isReply(Throwable failure) {
        return has(failure, RedisCommandExecutionException.class);
    }

    /** Whether a reply to another request arrived in place of the expected one. */
    public static boolean isMisplaced(Throwable failure) {
        return has(failure, MisplacedReplyException.class);
    }

    /** Whether too few replicas have acknowledged a write. */
    public static boolean isUnacknowledged(Throwable failure) {
        return has(failure, UnacknowledgedException.class);
    }

    /** Whether the time limit passed without a reply. */
    public static boolean isTimeout(Throwable failure) {
        return has(failure, ConnectTimeoutException.class) || problem(failure) == StoreProblem.TIMED_OUT;
    }

    /** Whether the server refuses this process until somebody changes something. */
    private static boolean isDenial(Throwable failure) {
        StoreProblem problem = classified(failure).answer().problem();
        return problem == StoreProblem.UNAUTHENTICATED || problem == StoreProblem.TOO_MANY_CONNECTIONS;
    }

    private static boolean has(Throwable failure, Class<? extends Throwable> kind) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (kind.isInstance(cause)) {
                return true;
            }
        }
        return false;
    }

    private static StoreProblem problem(Throwable wrapped) {
        Throwable failure = unwrapped(wrapped);
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof RedisCommandExecutionException) {
                return problem(String.valueOf(cause.getMessage()));
            }
            if (cause instanceof UnacknowledgedException) {
                return StoreProblem.TOO_FEW_REPLICAS;
            }
            if (cause instanceof RedisCommandTimeoutException) {
                return StoreProblem.TIMED_OUT;
            }
            if (cause instanceof PartitionException) {
                // The client knows by itself that no node owns the slot, and asks none.
                return StoreProblem.CLUSTER_DOWN;
            }
            // The client suppresses defects of its own in other exceptions.
            if (cause instanceof RedisException && cause.getSuppressed().length > 0) {
                return problemOfAll(List.of(cause.getSuppressed()));
            }
        }
        boolean noConnection = failure instanceof RedisException || failure instanceof IOException;
        return noConnection ? StoreProblem.UNREACHABLE : StoreProblem.UNKNOWN;
    }

    /**
     * Problem of several Sentinels or members of a Cluster, all of which failed: an error that one has answered tells more than that
     * another is away.
     */
    private static StoreProblem problemOfAll(List<Throwable> failures) {
        Set<StoreProblem> problems = failures.stream()
                .map(Failures::problem)
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(StoreProblem.class)));
        Set<StoreProblem> answered = EnumSet.copyOf(problems);
        answered.removeAll(UNANSWERED);
        if (!answered.isEmpty()) {
            return answered.iterator().next();
        }
        return problems.size() == 1 ? problems.iterator().next() : StoreProblem.UNREACHABLE;
    }

    /** The problem behind an error message of Redis. */
    public static StoreProblem problem(String message) {
        return MARKS.stream()
                .filter(mark -> message.contains(mark.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(StoreProblem.UNKNOWN);
    }

    private static String detail(Throwable failure) {
        Throwable root = failure;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        String message = root.getMessage() == null ? root.getClass().getSimpleName() : root.getMessage();
        String oneLine = message.replaceAll("\\s+", " ");
        return oneLine.length() > 300
                ? oneLine.substring(0, 300) + String.format(Locale.ROOT, "... (%d more)", oneLine.length() - 300)
                : oneLine;
    }
}
