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

    /** Says that the work has ended. Closing twice does nothing. */
    @Override
    void close();
}
