package dev.election;

/**
 * A piece of work that was admitted because this node leads. It counts as running until it is closed: a shutdown or an
 * abdication waits for it, within a bound, while the lease goes on being renewed.
 */
public interface LeaderWork extends AutoCloseable {

    /** The token of the leadership under which the work was admitted, whoever leads by now. */
    FencingToken token();

    /** Whether that same leadership still holds; long work asks before each step that can't be undone. */
    boolean isCurrent();

    /** Makes the work's token the {@link FencingToken#current()} of this thread until the scope is closed. */
    default Scope onThisThread() {
        FencingToken before = CurrentWork.token();
        CurrentWork.set(token());
        return () -> CurrentWork.set(before);
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
