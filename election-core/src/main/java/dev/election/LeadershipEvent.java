package dev.election;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/** Something that happened in an election, as this node saw it. */
public sealed interface LeadershipEvent {

    /** The name of the election. */
    String election();

    /** When this node saw it, by its wall clock. */
    Instant at();

    /**
     * No leader is known and this node contends, or looks who has won.
     *
     * @param election the name of the election
     * @param at when
     */
    record ElectionStarted(String election, Instant at) implements LeadershipEvent {}

    /**
     * It is known again who leads.
     *
     * @param election the name of the election
     * @param at when
     * @param leader who leads
     * @param won whether it is this node
     */
    record ElectionCompleted(String election, Instant at, Leader leader, boolean won) implements LeadershipEvent {}

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
     */
    record Resigning(String election, Instant at, FencingToken token, LossReason reason) implements LeadershipEvent {}

    /**
     * This node leads, and half of its lease has gone without a renewal. Announced once until it is renewed.
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
     * Another node leads than before, or none.
     *
     * @param election the name of the election
     * @param at when
     * @param leader who leads now, empty if nobody is known to
     */
    record LeaderChanged(String election, Instant at, Optional<Leader> leader) implements LeadershipEvent {}

    /**
     * The store gives no usable answer. Announced once an incident and kind, not once an attempt.
     *
     * @param election the name of the election
     * @param at when
     * @param problem what is wrong
     * @param detail what the store or the connection said
     * @param action what is wrong and what to do, as the store says it: one sentence without a full stop
     */
    record StoreFailed(String election, Instant at, StoreProblem problem, String detail, String action)
            implements LeadershipEvent {

        /** With the action that holds for any store. */
        public StoreFailed(String election, Instant at, StoreProblem problem, String detail) {
            this(election, at, problem, detail, problem.action());
        }
    }

    /**
     * The store answers again.
     *
     * @param election the name of the election
     * @param at when
     */
    record StoreRecovered(String election, Instant at) implements LeadershipEvent {}

    /**
     * Applications of another name than this one's take part in the election: they share one leader, and only its application does its
     * guarded work. Announced whenever the others change.
     *
     * @param election the name of the election
     * @param at when
     * @param application the name of this application
     * @param others the names of the others, empty when none is heard of any more
     */
    record ApplicationsDiffer(String election, Instant at, String application, Set<String> others)
            implements LeadershipEvent {}
}
