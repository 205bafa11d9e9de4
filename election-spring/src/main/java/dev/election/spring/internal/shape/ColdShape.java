package dev.election.spring.internal.shape;

import dev.election.spring.calls.CallerContext;
import org.jspecify.annotations.Nullable;

/**
 * A result that describes work, which is done at each subscription. The method itself may be called only once: the scheduler of
 * {@code @Scheduled} methods calls it while the application starts and subscribes to its result at each run.
 */
public interface ColdShape extends ReturnShape {

    @Override
    default ColdShape cold() {
        return this;
    }

    /** A result that makes the call anew for each subscriber. */
    Object atEachSubscription(Call call);

    /** A guarded call, admitted or refused. */
    public interface Call {
        @Nullable
        Object make(CallerContext caller) throws Throwable;
    }
}
