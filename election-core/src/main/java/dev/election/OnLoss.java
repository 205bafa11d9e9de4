package dev.election;

/** What happens to a guarded call that runs when leadership is lost. */
public enum OnLoss {
    /** It runs on; the fencing token protects the data. */
    CONTINUE,
    /**
     * Its thread is interrupted, or its job is cancelled if it is a suspend function: whoever called that gets a
     * {@code CancellationException}. Work that has gone on to other threads, publishers and flows run on.
     */
    INTERRUPT
}
