package dev.election;

import java.util.Optional;

/**
 * A piece of work that was admitted because this node leads. It counts as running until it is closed: a shutdown or an
 * abdication waits for it, within a bound, while the lease goes on being renewed.
 */
public interface LeaderWork extends AutoCloseable {

    /** The election whose leader does the work. */
    Election election();

    /** The token of the leadership under which the work was admitted, whoever leads by now. */
    FencingToken token();

    /** Whether that same leadership still holds; long work asks before each step that can't be undone. */
    boolean isCurrent();

    /**
     * Asks to be admitted as a part of this work, which counts and is closed on its own. Unlike {@link Election#beginWork()} it
     * succeeds also while this node waits for its running work before it resigns.
     *
     * @return empty if this work has been closed or its leadership does not hold any more
     */
    Optional<LeaderWork> beginPart();

    /**
     * Makes this the {@link CurrentWork} of this thread, and its token the {@link FencingToken#current()}, until the scope is
     * closed.
     */
    default Scope onThisThread() {
        return CurrentWork.begin(this);
    }

    /** Says that the work has ended. Closing twice does nothing. */
    @Override
    void close();

    /** While it is open, this thread does the work. Closed by the thread that opened it. */
    interface Scope extends AutoCloseable {
        @Override
        void close();
    }
}
