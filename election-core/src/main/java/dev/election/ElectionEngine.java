package dev.election;

import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.assembly.AssembledEngine;
import dev.election.internal.engine.EngineSettings;
import dev.election.internal.engine.Groups;
import dev.election.internal.engine.Roles;
import dev.election.internal.engine.Timings;
import dev.election.internal.protocol.EventBounds;
import dev.election.internal.recovery.TakeOver;
import dev.election.internal.requests.EngineContext;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.members.NodeMessages;
import dev.election.partitions.Partitions;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The elections of a process over one store, for use without Spring Boot: {@link #over} begins to build an engine, {@link #start} starts it. One
 * thread of the engine decides all elections, listeners run on others. The store belongs to the caller and is not closed here.
 */
public interface ElectionEngine extends Elections, AutoCloseable {

    /** Begins to build an engine over that store. */
    static Builder over(LeaseStore store) {
        return new Builder(store);
    }

    /** The description of this process for other nodes. Its id may change with each start. */
    NodeInfo nodeInfo();

    /**
     * The members that share the store. From the first call on this process is one of them: until then nothing is sent. Empty if the engine
     * was built without {@link Builder#members}, or over a store that keeps no members.
     *
     * @throws IllegalArgumentException if the description of this process for the others exceeds 4 kB or has an invalid name
     */
    Optional<Members> members();

    /**
     * The messages between members. From the first call on this process is a member, as with {@link #members}. Empty if the engine was built
     * without {@link Builder#members}, or over a store that passes no messages on between members.
     *
     * @throws IllegalArgumentException if the description of this process for the others exceeds 4 kB or has an invalid name
     */
    Optional<NodeMessages> messages();

    /** The groups of partitions of {@link Builder#partitions}, none without it. */
    Partitions partitions();

    /**
     * Reports the result of a health check of this process. After three results in a row it counts as down, or up again. While it is down,
     * others come first in the order of succession, and a leader with {@link Steering#abdicateWhenDown} hands over to a candidate that is up.
     *
     * @param problem what is down, {@code null} if nothing is
     * @param askedAt when the check began, by {@link System#nanoTime}
     * @throws IllegalStateException if the engine was built without {@link Builder#steering}
     */
    void reportHealth(@Nullable String problem, long askedAt);

    /**
     * Stops as {@link #stop()} does, waits for it, and ends the threads for good. If the calling thread is interrupted, it waits no longer:
     * leases that are not released by then expire, and listeners may miss the last events.
     */
    @Override
    void close();

    /** Builds an engine. Every setting has a default. */
    final class Builder {

        private final LeaseStore store;
        private final Map<String, Timing> special = new HashMap<>();
        private final Map<String, AssignedRole> specialRoles = new HashMap<>();
        private AssignedRole role = AssignedRole.CANDIDATE;
        private Timing timing = Timing.defaults();
        private Duration tokensAhead = EventBounds.AHEAD;
        private Supplier<NodeInfo> node = NodeInfo::ofThisHost;
        private @Nullable Executor callbacks;
        private @Nullable Loop loop;
        private Clock clock = Clock.system();
        private String application = "";
        private @Nullable MemberSettings asMember;
        private @Nullable Steering steering;
        private TakeOver takeOver = TakeOver.DEFAULT;
        private final Map<String, Integer> partitions = new HashMap<>();
        private final Set<String> onePerProcess = new HashSet<>();
        private final Map<String, Integer> minimumMembers = new HashMap<>();
        private final Map<String, String> ledWith = new HashMap<>();

        private Builder(LeaseStore store) {
            this.store = store;
        }

        /** Sets the node that this process is. By default its id is the name of the host with a random suffix, another one after each start. */
        public Builder as(NodeInfo node) {
            return as(() -> node);
        }

        /** Sets the source of the node, for an id that may change: the engine calls it when it is built, and at each start. */
        public Builder as(Supplier<NodeInfo> node) {
            this.node = node;
            return this;
        }

        /**
         * Sets the name of the application, by which two applications that share an election by mistake are found. By default, or if it is
         * empty, it is that of the node. Without a name there is no such check.
         */
        public Builder application(String name) {
            this.application = name;
            return this;
        }

        /** Sets the timing of every election that has none of its own. */
        public Builder timing(Timing timing) {
            this.timing = timing;
            return this;
        }

        /** Sets the timing of one election. */
        public Builder timing(String election, Timing timing) {
            special.put(election, timing);
            return this;
        }

        /** Sets the role of this process in every election that has none of its own. The default is a candidate. */
        public Builder role(AssignedRole role) {
            this.role = role;
            return this;
        }

        /** Sets the role of this process in one election. */
        public Builder role(String election, AssignedRole role) {
            specialRoles.put(election, role);
            return this;
        }

        /**
         * Sets how far a token in a message may be ahead of all clocks. The default is a day. More is needed only if the clock of the store was
         * once ahead by more: tokens never fall, so they have been ahead since.
         */
        public Builder tokensAhead(Duration time) {
            this.tokensAhead = time;
            return this;
        }

        /** Sets the description of this process as a member. It becomes one with the first call of {@link ElectionEngine#members}. */
        public Builder members(MemberSettings settings) {
            this.asMember = settings;
            return this;
        }

        /**
         * Sets which of the members should lead, and lets this process be drained. This process is a member then, from the start on. Without
         * steering no request is sent for it.
         */
        public Builder steering(Steering steering) {
            this.steering = steering;
            return this;
        }

        /**
         * Takes part in a group of partitions, the elections {@code <group>.0} to {@code <group>.<count - 1>}, which the processes share evenly.
         * Unless {@link #members} and {@link #steering} are called, too, this process is a member without settings and steered without preferences. All
         * processes must have the same count: one with another count than the store leads nothing in the group.
         */
        public Builder partitions(String group, int count) {
            partitions.put(group, count);
            return this;
        }

        /**
         * Lets this process lead one partition of a group at most, so that as many processes work at a time as the group has partitions. With
         * fewer processes some partitions have no leader.
         */
        public Builder onePerProcess(String group) {
            onePerProcess.add(group);
            return this;
        }

        /**
         * Sets how many candidates an election needs before this process campaigns in it: after each start it waits until a complete copy of the
         * members shows so many nodes. This is a condition of the start and no quorum: a leader stays if others go. Needs {@link #members}.
         */
        public Builder minimumMembers(String election, int count) {
            minimumMembers.put(election, count);
            return this;
        }

        /**
         * Lets an election be led by whoever leads another one: both have one lease, and one token, which rises with each leadership. Each has work,
         * recoveries and listeners of its own; the lease is released when the work of both has ended. An abdication, a role and a drain of one are
         * those of both. Events about the lease itself, such as {@code LeaseAtRisk}, are told in the other one. All processes must have the
         * same setting, and ask for both elections.
         *
         * @param with an election with a lease of its own
         */
        public Builder ledWith(String election, String with) {
            ledWith.put(election, with);
            return this;
        }

        /** Sets how long each {@link LeaderRecovery} may take. The default is a minute. */
        public Builder recoverAtMost(Duration time) {
            this.takeOver = new TakeOver(time, takeOver.givesUp());
            return this;
        }

        /**
         * Lets a leader {@linkplain Election#giveUp give up} if a listener throws at {@link LeadershipEvent.Acquired}; otherwise that is only
         * logged.
         */
        public Builder giveUpOnFailedStart(boolean givesUp) {
            this.takeOver = new TakeOver(takeOver.recoverAtMost(), givesUp);
            return this;
        }

        /** Sets where listeners run. By default these are threads of the engine. The engine does not close the executor. */
        public Builder callbacks(Executor callbacks) {
            this.callbacks = callbacks;
            return this;
        }

        /**
         * Sets where the elections decide and by which clock, for tests that move both by hand. By default these are a thread of the engine and
         * the clocks of the machine. The engine closes neither.
         */
        public Builder loop(Loop loop, Clock clock) {
            this.loop = loop;
            this.clock = clock;
            return this;
        }

        /**
         * Builds the engine without starting it. No request is sent yet.
         *
         * @throws IllegalArgumentException if a lease is shorter than the shortest one of the store, or there is steering or a minimum of members
         *     but no {@link #members}, or the store keeps none; a minimum is less than 1; an election is led with one
         *     that is led with another, or has a timing or a role beside that; or a group of partitions has a name or a count that it can't have, or lacks what it needs
         */
        public ElectionEngine build() {
            Supplier<NodeInfo> process = node;
            String name = application;
            EngineSettings settings = new EngineSettings(
                    new Timings(timing, Map.copyOf(special), tokensAhead),
                    new Roles(role, Map.copyOf(specialRoles)),
                    takeOver,
                    new Groups(partitions, onePerProcess),
                    minimumMembers,
                    ledWith);
            boolean isPlain = partitions.isEmpty();
            return new AssembledEngine(
                    () -> name.isEmpty() ? process.get() : process.get().ofApplication(name),
                    settings,
                    EngineContext.over(store, clock, loop, callbacks),
                    asMember == null && !isPlain ? MemberSettings.none() : asMember,
                    steering == null && !isPlain ? Steering.none() : steering);
        }
    }
}
