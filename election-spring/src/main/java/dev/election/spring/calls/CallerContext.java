package dev.election.spring.calls;

import org.jspecify.annotations.Nullable;

/** The context of a subscriber, or of a coroutine that collects a flow. A call on the thread of its caller has none. */
@FunctionalInterface
public interface CallerContext {

    /** The context of a call that is no subscription. */
    CallerContext NONE = key -> null;

    /** The value of that key, {@code null} if there is none. */
    @Nullable
    Object get(Object key);
}
