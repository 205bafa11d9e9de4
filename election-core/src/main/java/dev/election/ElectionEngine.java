package dev.election;

import dev.election.internal.engine.Clock;
import dev.election.internal.engine.Engine;
import dev.election.internal.engine.Loop;
import dev.election.internal.engine.Roles;
import dev.election.internal.engine.TakeOver;
import dev.election.internal.protocol.EventBounds;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.members.NodeMessages;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** All elections of a process, over one store and in one loop. The store belongs to the caller and is not closed here. */
public interface ElectionEngine extends Elections, AutoCloseable {

    /** Begins to describe an engine over that store. */
    static Builder over(LeaseStore store) {
        return new Builder(store);
    }

    /** The node that this process is to the others. Its id may be another one after each start. */
    NodeInfo nodeInfo();

    /**
     * The processes that are there. From the first call on this process is one of them: until then nothing is sent. Empty if the engine was
     * built without {@link Builder#members}, or over a store that keeps no members.
     *
     * @throws IllegalArgumentException if this process says too much of itself to the others, or under a name that it must not have
     */
    Optional<Members> members();

    /**
     * The messages between members. From the first call on this process is a member, as of {@link #members}. Empty if the engine was built without
     * {@link Builder#members}, or over a store that passes no messages on between members.
     *
     * @throws IllegalArgumentException if this process says too much of itself to the others, or under a name that it must not have
     */
    Optional<NodeMessages> messages();

    /**
     * Reports an answer to the question whether this process is up. After three answers in a row it counts as down, or up again: then others
     * come first in the order of succession, and a leader with {@link Steering#abdicateWhenDown} hands over to a candidate that is up.
     *
     * @param problem what is down, {@code null} if nothing is
     * @param askedAt when the question was asked, by {@link System#nanoTime}
     * @throws IllegalStateException if the engine was built without {@link Builder#steering}
     */
    void reportHealth(@Nullable String problem, long askedAt);

    /**
     * Stops as {@link #stop()} does, waits for it, and ends the threads for good. A thread that is interrupted waits no longer: leases
     * that are not released by then expire, and listeners may not hear of it.
     */
    @Override
    void close();

    /** Describes an engine. */
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

        private Builder(LeaseStore store) {
            this.store = store;
        }

        /** The node that this process is; the host's name with a random suffix, which is another one after each start, unless said. */
        public Builder as(NodeInfo node) {
            return as(() -> node);
        }

        /** The same where the id is not always the same: asked for when the engine is built, and at each start. */
        public Builder as(Supplier<NodeInfo> node) {
            this.node = node;
            return this;
        }

        /**
         * The name of the application, by which two applications that share an election by mistake are found; that of the node unless
         * said, or if it is empty. Without one there is no such check.
         */
        public Builder application(String name) {
            this.application = name;
            return this;
        }

        /** The timing of every election that has none of its own. */
        public Builder timing(Timing timing) {
            this.timing = timing;
            return this;
        }

        /** The timing of one election. */
        public Builder timing(String election, Timing timing) {
            special.put(election, timing);
            return this;
        }

        /** The role of this process in every election that has none of its own; a candidate unless said. */
        public Builder role(AssignedRole role) {
            this.role = role;
            return this;
        }

        /** The role of this process in one election. */
        public Builder role(String election, AssignedRole role) {
            specialRoles.put(election, role);
            return this;
        }

        /**
         * How far a token in a message may be ahead of all clocks; a day unless said. More only where the clock of the store was once ahead
         * by more: tokens never fall, so they are ahead since.
         */
        public Builder tokensAhead(Duration time) {
            this.tokensAhead = time;
            return this;
        }

        /** Lets this process be a member, which it is when {@link ElectionEngine#members} has been called, and says what the others see. */
        public Builder members(MemberSettings settings) {
            this.asMember = settings;
            return this;
        }

        /**
         * Says which of the members should lead, and lets this process be drained. This process is a member then. Without it nothing is
         * asked and nothing is sent for that.
         */
        public Builder steering(Steering steering) {
            this.steering = steering;
            return this;
        }

        /** How long each {@link LeaderRecovery} may take; a minute unless said. */
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

        /** Where listeners run; a few threads of the engine's own unless said. Not closed by the engine. */
        public Builder callbacks(Executor callbacks) {
            this.callbacks = callbacks;
            return this;
        }

        /**
         * Where the elections decide, and by which clock; a thread of the engine's own and the clocks of the machine unless said. For
         * tests that move both by hand. Not closed by the engine.
         */
        public Builder loop(Loop loop, Clock clock) {
            this.loop = loop;
            this.clock = clock;
            return this;
        }

        /**
         * An engine that is not started yet.
         *
         * @throws IllegalArgumentException if a lease is shorter than the shortest one of the store, or there is steering but no {@link #members},
         *     or the store keeps none
         */
        public ElectionEngine build() {
            Supplier<NodeInfo> process = node;
            String name = application;
            return Engine.of(
                    () -> name.isEmpty() ? process.get() : process.get().ofApplication(name),
                    store,
                    new Engine.Timings(timing, Map.copyOf(special), tokensAhead),
                    new Roles(role, Map.copyOf(specialRoles)),
                    asMember,
                    steering,
                    takeOver,
                    clock,
                    loop,
                    callbacks);
        }
    }
}
