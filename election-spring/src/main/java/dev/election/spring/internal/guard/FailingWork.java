package dev.election.spring.internal.guard;

import dev.election.LeaderWork;

/** Work that is told with what exception it ends, before it is closed. It must not be wrapped before it gets to the guard. */
public interface FailingWork extends LeaderWork {

    /** The call ends with that exception. Must not throw. */
    void failed(Throwable failure);

    /** Tells work of that, if it wants to know. */
    static void tell(LeaderWork work, Throwable failure) {
        if (work instanceof FailingWork failing) {
            failing.failed(failure);
        }
    }
}
