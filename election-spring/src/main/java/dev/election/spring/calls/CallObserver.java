package dev.election.spring.calls;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.spring.internal.interruption.Stopping;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Observes every guarded call, on the thread of the caller: it must return quickly and must not throw. */
public interface CallObserver {

    /** Does nothing. */
    CallObserver NONE = new CallObserver() {};

    /** An observer that calls all of these. */
    static CallObserver of(List<CallObserver> observers) {
        return observers.isEmpty()
                ? NONE
                : observers.size() == 1
                        ? observers.get(0)
                        : new CallObserver() {
                            @Override
                            public void called(
                                    String election,
                                    CallOutcome outcome,
                                    @Nullable FencingToken token,
                                    CallerContext caller) {
                                observers.forEach(observer -> observer.called(election, outcome, token, caller));
                            }

                            @Override
                            public LeaderWork begun(String election, Method method, LeaderWork work) {
                                LeaderWork observed = work;
                                for (CallObserver observer : observers) {
                                    observed = observer.begun(election, method, observed);
                                }
                                return observed;
                            }

                            @Override
                            public LeaderWork limited(
                                    String election,
                                    Method method,
                                    Duration atMost,
                                    Supplier<Stopping> stop,
                                    LeaderWork work) {
                                LeaderWork observed = work;
                                for (CallObserver observer : observers) {
                                    observed = observer.limited(election, method, atMost, stop, observed);
                                }
                                return observed;
                            }
                        };
    }

    /**
     * Called for each call of a guarded method.
     *
     * @param token of the leadership under which the call runs, {@code null} if it does not run
     * @param caller the context of the subscriber, if the call is a subscription
     */
    default void called(String election, CallOutcome outcome, @Nullable FencingToken token, CallerContext caller) {}

    /**
     * Called when work begins that may run for so long at most; the returned work is closed when it ends, and must close the given one.
     *
     * @param stop ends the call as far as that is possible; to be called once
     */
    default LeaderWork limited(
            String election, Method method, Duration atMost, Supplier<Stopping> stop, LeaderWork work) {
        return work;
    }

    /** Called when work begins; the returned work is closed when it ends, and must close the given one. */
    default LeaderWork begun(String election, Method method, LeaderWork work) {
        return work;
    }
}
