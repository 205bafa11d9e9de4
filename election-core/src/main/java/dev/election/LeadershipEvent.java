package dev.election;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An event in an election, as this node has observed it. */
public sealed interface LeadershipEvent {

    /** The name of the election. */
    String election();

    /** The time at which this node observed the event, by its wall clock. */
    Instant at();

    /**
     * This node knows no leader. It campaigns, or waits to learn who leads.
     *
     * @param election the name of the election
     * @param at when
     * @param since since when nobody is known to lead: the release, the end of the lease of this node, or the last known renewal of another
     */
    record ElectionStarted(String election, Instant at, Instant since) implements LeadershipEvent {

        /** Creates the event where there was no leader before, or where the leader has just released. */
        public ElectionStarted(String election, Instant at) {
            this(election, at, at);
        }
    }

    /**
     * This node knows again who leads.
     *
     * @param election the name of the election
     * @param at when
     * @param leader who leads
     * @param won whether it is this node
     */
    record ElectionCompleted(String election, Instant at, Leader leader, boolean won) implements LeadershipEvent {}

    /**
     * This node has been granted the lease and recovers: {@link Acquired} follows when its {@link LeaderRecovery recoveries} have run. Published
     * for each of them. A leadership that ends before has {@code Lost} without {@code Acquired}.
     *
     * @param election the name of the election
     * @param at when
     * @param leader this node as the leader, with the token
     * @param recovery the name of the recovery that begins
     */
    record Recovering(String election, Instant at, Leader leader, String recovery) implements LeadershipEvent {}

    /**
     * A recovery of this node failed or took too long: this node gives its leadership up.
     *
     * @param election the name of the election
     * @param at when
     * @param token the token of the leadership
     * @param recovery the name of the recovery
     * @param reason why it failed
     */
    record RecoveryFailed(String election, Instant at, FencingToken token, String recovery, String reason)
            implements LeadershipEvent {}

    /**
     * This node leads from now on.
     *
     * @param election the name of the election
     * @param at when
     * @param leader this node as the leader, with the token
     */
    record Acquired(String election, Instant at, Leader leader) implements LeadershipEvent {}

    /**
     * This node still leads but admits no new work: it will release leadership when the running work has ended.
     *
     * @param election the name of the election
     * @param at when
     * @param token the token of the leadership that is about to end
     * @param reason {@link LossReason#ABDICATED} or {@link LossReason#STOPPED}
     * @param requestedBy who asked for it, {@code null} if this node gives up by itself
     */
    record Resigning(String election, Instant at, FencingToken token, LossReason reason, @Nullable String requestedBy)
            implements LeadershipEvent {

        /** Creates the event of a resignation that nobody asked for. */
        public Resigning(String election, Instant at, FencingToken token, LossReason reason) {
            this(election, at, token, reason, null);
        }
    }

    /**
     * This node admits new work again: it would have handed leadership over for a better candidate, but its running work took longer than the
     * drain time.
     *
     * @param election the name of the election
     * @param at when
     * @param token the token of the leadership, which goes on
     */
    record Resumed(String election, Instant at, FencingToken token) implements LeadershipEvent {}

    /**
     * This node leads and has not renewed its lease for half of the lease. Published once until a renewal succeeds.
     *
     * @param election the name of the election
     * @param at when
     * @param token the token of the leadership
     * @param remaining how long leadership lasts if no renewal succeeds
     */
    record LeaseAtRisk(String election, Instant at, FencingToken token, Duration remaining)
            implements LeadershipEvent {}

    /**
     * The lease that was at risk has been renewed.
     *
     * @param election the name of the election
     * @param at when
     * @param token the token of the leadership
     */
    record LeaseSecured(String election, Instant at, FencingToken token) implements LeadershipEvent {}

    /**
     * This node no longer leads.
     *
     * @param election the name of the election
     * @param at when
     * @param token the token of the leadership that ended
     * @param reason why it ended
     * @param held how long this node led
     */
    record Lost(String election, Instant at, FencingToken token, LossReason reason, Duration held)
            implements LeadershipEvent {}

    /**
     * The leader has changed, or no leader is known any more.
     *
     * @param election the name of the election
     * @param at when
     * @param leader who leads now, empty if no leader is known
     */
    record LeaderChanged(String election, Instant at, Optional<Leader> leader) implements LeadershipEvent {}

    /**
     * The store gives no usable reply. Published once for each incident and kind of problem, not for each attempt.
     *
     * @param election the name of the election
     * @param at when
     * @param problem the kind of problem
     * @param detail the message of the store or the connection
     * @param action what is wrong and what to do about it, as the store says it: one sentence without a full stop
     */
    record StoreFailed(String election, Instant at, StoreProblem problem, String detail, String action)
            implements LeadershipEvent {

        /** Creates the event with the action that fits any store. */
        public StoreFailed(String election, Instant at, StoreProblem problem, String detail) {
            this(election, at, problem, detail, problem.action());
        }
    }

    /**
     * This node has become an observer, or a candidate after it was one. Published at the start only for an observer.
     *
     * @param election the name of the election
     * @param at when
     * @param role the role from now on
     */
    record RoleChanged(String election, Instant at, AssignedRole role) implements LeadershipEvent {}

    /**
     * The store gives usable replies again.
     *
     * @param election the name of the election
     * @param at when
     */
    record StoreRecovered(String election, Instant at) implements LeadershipEvent {}

    /**
     * Applications with other names take part in the election. All of them share one leader, so only the application of the leader does its
     * guarded work. Published whenever the names change.
     *
     * @param election the name of the election
     * @param at when
     * @param application the name of this application
     * @param others the names of the other applications, empty when there are none any more
     */
    record ApplicationsDiffer(String election, Instant at, String application, Set<String> others)
            implements LeadershipEvent {}
}
