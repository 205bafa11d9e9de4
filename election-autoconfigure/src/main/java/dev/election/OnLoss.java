package dev.election;

/** What happens to a guarded call that runs when leadership is lost. */
public enum OnLoss {
    /** It runs on; the fencing token protects the data. */
    CONTINUE,
    /** Its thread is interrupted. Work that has gone on to other threads is not. */
    INTERRUPT
}
