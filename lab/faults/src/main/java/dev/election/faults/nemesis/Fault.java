package dev.election.faults.nemesis;

import dev.election.faults.history.Consequence;
import java.util.EnumSet;
import java.util.Set;
import java.util.random.RandomGenerator;

/** A kind of harm. */
public sealed interface Fault
        permits NodeFault,
                LinkFault,
                StoreFault,
                RestoreFault,
                HostileMessage,
                SlowLink,
                FlushFault,
                SentinelFault,
                PartitionFault,
                AcknowledgedFault,
                ClockFault,
                ClusterFault,
                DatabaseFault,
                StandbyFault,
                AddressFault,
                DumpFault,
                KubernetesFault,
                MemberFault {

    String name();

    /** In words, for the report. */
    String title();

    /** Whom it may befall: one of these. */
    default Set<Target> targets() {
        return EnumSet.of(Target.STORE);
    }

    /** How long it lasts, in leases, before it is healed. */
    default Span span() {
        return Span.NONE;
    }

    /** Whether no other fault may come together with it. */
    default boolean isAlone() {
        return false;
    }

    /** The consequences that the fault may have by the design. */
    Set<Consequence> consequences(Target target);

    /** Prepares the fault without harm. */
    default void prepare(Strike strike) throws Exception {}

    /** Does the harm; returns when it is done. */
    Healing inject(Strike strike) throws Exception;

    /** Ends the harm. */
    interface Healing {

        Healing NONE = () -> {};

        void heal() throws Exception;
    }

    /** How long a fault lasts: a random time between two, in leases. */
    enum Span {
        NONE(0, 0),
        /** So short that a leader that renewed just before may survive. */
        SHORT(0.1, 0.5),
        LONG(1.2, 1.8),
        ANY(0.1, 1.6),
        /** So long that whoever is to take over must have done so without the victim's help. */
        PAST_THE_BOUND(2.6, 3),
        /** So long that whoever waits for the end can be told from whoever gets along. */
        LASTING(12, 12);

        private final double shortest;
        private final double longest;

        Span(double shortest, double longest) {
            this.shortest = shortest;
            this.longest = longest;
        }

        double draw(RandomGenerator random) {
            return shortest + random.nextDouble() * (longest - shortest);
        }
    }
}
