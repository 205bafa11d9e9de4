package dev.election.harness;

/** A server that may be treated badly, and set back to the data that it had earlier. */
public interface RestorableServer extends AutoCloseable {

    /** Ends as a crash does. */
    void kill();

    /** Starts again, at the same port and with the same data, and waits until it is there. */
    void start();

    /** Stops it without ending it, as a hung machine. */
    void freeze();

    void thaw();

    /** Keeps the present data for a restore. */
    void snapshot();

    /** Brings the data of the snapshot back, and restarts, so that all connections end. */
    void restore();

    @Override
    default void close() {
        kill();
    }
}
