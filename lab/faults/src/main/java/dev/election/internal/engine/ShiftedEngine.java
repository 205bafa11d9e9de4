package dev.election.internal.engine;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.internal.protocol.EventBounds;
import dev.election.members.MemberSettings;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/**
 * An engine whose time of day is wrong, as on a machine whose clock nobody sets. Lives in the engine's package because no
 * application can choose the clocks, and no application should.
 */
public final class ShiftedEngine {

    private ShiftedEngine() {}

    /** An engine that is not started yet. */
    public static ElectionEngine build(LeaseStore store, NodeInfo node, Timing timing, Duration shift) {
        return Engine.of(
                () -> node,
                store,
                new Engine.Timings(timing, Map.of(), EventBounds.AHEAD),
                Roles.CANDIDATE,
                MemberSettings.none(),
                null,
                TakeOver.DEFAULT,
                shifted(Clock.system(), shift),
                null,
                null);
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
