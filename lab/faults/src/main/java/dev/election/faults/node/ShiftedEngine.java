package dev.election.faults.node;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.engine.Clock;
import dev.election.internal.threads.ElectionThread;
import dev.election.members.MemberSettings;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.time.Instant;

/** An engine whose time of day is wrong, as on a machine whose clock nobody sets. Its thread ends with the process. */
final class ShiftedEngine {

    private ShiftedEngine() {}

    /** An engine that is not started yet. */
    static ElectionEngine build(LeaseStore store, NodeInfo node, Timing timing, Duration shift) {
        Clock clock = shifted(Clock.system(), shift);
        return ElectionEngine.over(store)
                .as(node)
                .timing(timing)
                .members(MemberSettings.none())
                .loop(new ElectionThread(clock), clock)
                .build();
    }

    private static Clock shifted(Clock machine, Duration shift) {
        return new Clock() {
            @Override
            public long nanos() {
                return machine.nanos();
            }

            @Override
            public Instant wall() {
                return machine.wall().plus(shift);
            }
        };
    }
}
