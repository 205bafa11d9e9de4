package dev.election.engine;

import dev.election.engine.State.Draining;
import dev.election.engine.State.Following;
import dev.election.engine.State.Leading;
import dev.election.engine.State.Releasing;
import dev.election.engine.State.Resting;
import dev.election.engine.State.Stopped;
import java.util.OptionalLong;

/**
 * The election protocol as a pure function: no clock, no thread, no I/O, no chance. Equal arguments give equal results, so a
 * run can be repeated from its inputs.
 */
class Protocol {

    private final Self self;
    private final Pace pace;

    Protocol(Self self, Pace pace) {
        this.self = self;
        this.pace = pace;
    }

    Self self() {
        return self;
    }

    Pace pace() {
        return pace;
    }

    /** What hints are taken for before the store has answered anything. */
    HintBounds hintBounds() {
        return HintBounds.of(pace.lease());
    }

    static State initial() {
        return new Stopped(Knowledge.NONE);
    }

    Step step(State state, Input input, Now now) {
        Turn turn = new Turn(self, pace, now);
        State next = route(turn, state, input);
        // Whatever the state makes of the rest: by the highest token heard of a store is found to have forgotten.
        return turn.to(next.knowing(next.knowledge().seeing(input.highestToken())));
    }

    /** When the state wants to be woken, on the monotonic clock. */
    OptionalLong wakeAt(State state) {
        if (state instanceof Following following) {
            return OptionalLong.of(FollowerRules.wakeAt(following, pace));
        }
        if (state instanceof Leading leading) {
            return OptionalLong.of(LeaderRules.wakeAt(leading.tenure(), null, pace));
        }
        if (state instanceof Draining draining) {
            return OptionalLong.of(LeaderRules.wakeAt(draining.tenure(), draining.departure(), pace));
        }
        if (state instanceof Releasing releasing) {
            return OptionalLong.of(DepartureRules.wakeAt(releasing));
        }
        return state instanceof Resting resting
                ? OptionalLong.of(RestRules.wakeAt(resting, pace))
                : OptionalLong.empty();
    }

    static State route(Turn turn, State state, Input input) {
        if (state instanceof Following following) {
            return FollowerRules.step(turn, following, input);
        }
        if (state instanceof Leading leading) {
            return LeaderRules.step(turn, leading, input);
        }
        if (state instanceof Draining draining) {
            return LeaderRules.step(turn, draining, input);
        }
        if (state instanceof Releasing releasing) {
            return DepartureRules.step(turn, releasing, input);
        }
        if (state instanceof Resting resting) {
            return RestRules.step(turn, resting, input);
        }
        return DepartureRules.step(turn, (Stopped) state, input);
    }
}
