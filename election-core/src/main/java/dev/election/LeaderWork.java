package dev.election;

import java.util.Optional;

/**
 * A piece of work that was admitted because this node leads. It counts as running until it is closed: a shutdown or an abdication waits
 * for it, up to the drain time, while the lease is still renewed.
 */
public interface LeaderWork extends AutoCloseable {

    /** The election under whose leadership the work was admitted. */
    Election election();

    /** The token of the leadership under which the work was admitted, whether or not it still holds. */
    FencingToken token();

    /** The scheduled time for which the work is done, empty if it has none or none is recorded. */
    default Optional<ScheduledSlot> slot() {
        return Optional.empty();
    }

    /** The partition that the work is of, empty if its election is none. */
    default Optional<Partition> partition() {
        return Optional.empty();
    }

    /**
     * Whether the leadership of this work still holds. Long work should call this before each step that can't be undone. The leadership may end
     * right after this returns.
     */
    boolean isCurrent();

    /**
     * Admits a part of this work, which counts as running work itself and must be closed separately. Unlike {@link Election#beginWork()} this
     * also succeeds while this node resigns and waits for its running work.
     *
     * @return empty if this work has been closed or its leadership no longer holds
     */
    Optional<LeaderWork> beginPart();

    /**
     * Makes this the {@link CurrentWork} of this thread, and its token the {@link FencingToken#current()}, until the scope is closed.
     */
    default Scope onThisThread() {
        return CurrentWork.begin(this);
    }

    /** Ends the work. A second call has no effect. */
    @Override
    void close();

    /** A period in which the work is the current work of a thread. The thread that opened it must close it. */
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
