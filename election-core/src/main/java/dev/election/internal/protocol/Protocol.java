package dev.election.internal.protocol;

import dev.election.internal.protocol.State.CoolingDown;
import dev.election.internal.protocol.State.Draining;
import dev.election.internal.protocol.State.Following;
import dev.election.internal.protocol.State.Leading;
import dev.election.internal.protocol.State.Observing;
import dev.election.internal.protocol.State.Releasing;
import dev.election.internal.protocol.State.Stopped;
import java.util.OptionalLong;

/**
 * The election protocol as a pure function: no clock, no thread, no I/O, no chance. Equal arguments give equal results, so a
 * run can be repeated from its inputs.
 */
public class Protocol {

    private final Self self;
    private final ProtocolTimings timings;
    private final EventBounds eventBounds;

    /** Creates a protocol that ignores events with tokens further ahead of all clocks than {@link EventBounds#AHEAD}. */
    public Protocol(Self self, ProtocolTimings timings) {
        this(self, timings, EventBounds.of(timings.lease(), EventBounds.AHEAD));
    }

    /**
     * Creates a protocol with other bounds of events.
     *
     * @param eventBounds the bounds before the first answer of the store
     */
    public Protocol(Self self, ProtocolTimings timings, EventBounds eventBounds) {
        this.self = self;
        this.timings = timings;
        this.eventBounds = eventBounds;
    }

    public Self self() {
        return self;
    }

    /** Returns the protocol of this node under another identity. Only where its state {@linkplain State#isAtRest is at rest}. */
    public Protocol as(Self next) {
        return new Protocol(next, timings, eventBounds);
    }

    public ProtocolTimings timings() {
        return timings;
    }

    /** Returns the bounds of events before the first answer of the store. */
    public EventBounds eventBounds() {
        return eventBounds;
    }

    public static State initial() {
        return new Stopped(Knowledge.NONE);
    }

    public Step step(State state, Input input, Now now) {
        StepContext context = new StepContext(self, timings, now);
        State next = route(context, state, input);
        // Each state keeps the highest token: a store whose token is below it has lost data.
        return context.to(next.knowing(next.knowledge().after(input)));
    }

    /** Returns the time of the next {@link Input.Wake} for a state, on the monotonic clock; empty if it needs none. */
    public OptionalLong wakeAt(State state) {
        if (state instanceof Following following) {
            return OptionalLong.of(FollowerRules.wakeAt(following, timings));
        }
        if (state instanceof Leading leading) {
            return OptionalLong.of(LeaderRules.wakeAt(leading.heldLease(), null, timings));
        }
        if (state instanceof Draining draining) {
            return OptionalLong.of(LeaderRules.wakeAt(draining.heldLease(), draining.departure(), timings));
        }
        if (state instanceof Releasing releasing) {
            return OptionalLong.of(DepartureRules.wakeAt(releasing));
        }
        if (state instanceof Observing observing) {
            return OptionalLong.of(ObserverRules.wakeAt(observing, timings));
        }
        return state instanceof CoolingDown coolingDown
                ? CoolingDownRules.wakeAt(coolingDown, timings)
                : OptionalLong.empty();
    }

    /**
     * Returns from when on a state may send its next request in a batch of another election, on the monotonic clock. A renewal may join early: so all
     * leases of a process are soon renewed at the same time. A campaign may join early behind a leader, where the store answers many as one.
     */
    public OptionalLong joinAt(State state) {
        if (state instanceof Following following) {
            return FollowerRules.joinAt(following, timings);
        }
        if (state instanceof Leading leading) {
            return LeaderRules.joinAt(leading.knowledge(), leading.heldLease(), timings);
        }
        return state instanceof Draining draining
                ? LeaderRules.joinAt(draining.knowledge(), draining.heldLease(), timings)
                : OptionalLong.empty();
    }

    static State route(StepContext context, State state, Input input) {
        if (state instanceof Following following) {
            return FollowerRules.step(context, following, input);
        }
        if (state instanceof Leading leading) {
            return LeaderRules.step(context, leading, input);
        }
        if (state instanceof Draining draining) {
            return LeaderRules.step(context, draining, input);
        }
        if (state instanceof Releasing releasing) {
            return DepartureRules.step(context, releasing, input);
        }
        if (state instanceof Observing observing) {
            return ObserverRules.step(context, observing, input);
        }
        if (state instanceof CoolingDown coolingDown) {
            return CoolingDownRules.step(context, coolingDown, input);
        }
        return DepartureRules.step(context, (Stopped) state, input);
    }
}
