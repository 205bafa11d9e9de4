package dev.election.spring.internal.shape;

import dev.election.LeaderWork;

/** Work that receives the exception with which it ends, before it is closed. It must not be wrapped before it gets to the guard. */
public interface FailingWork extends LeaderWork {

    /** Receives the exception with which the call ends. Must not throw. */
    void failed(Throwable failure);

    /** Passes the exception to work that receives it. */
    static void tell(LeaderWork work, Throwable failure) {
        if (work instanceof FailingWork failing) {
            failing.failed(failure);
        }
    }
}
