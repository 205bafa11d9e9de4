package dev.election.engine;

import java.util.concurrent.atomic.AtomicInteger;

/** Counts running leader work, and admits more only while it is open, or what joins work that is running. */
final class WorkGate {

    private static final int CLOSED = Integer.MIN_VALUE;

    /** The count, and in the sign bit whether the gate is closed: one word, so that nothing slips in while it closes. */
    private final AtomicInteger state = new AtomicInteger(CLOSED);

    boolean enter() {
        int seen = state.get();
        while (seen >= 0) {
            int found = state.compareAndExchange(seen, seen + 1);
            if (found == seen) {
                return true;
            }
            seen = found;
        }
        return false;
    }

    /** Also while it is closed, but never when nothing is running: what is closed and idle stays so. */
    boolean join() {
        int seen = state.get();
        while ((seen & ~CLOSED) > 0) {
            int found = state.compareAndExchange(seen, seen + 1);
            if (found == seen) {
                return true;
            }
            seen = found;
        }
        return false;
    }

    /** Whether that was the last one behind a closed gate. */
    boolean exit() {
        return state.decrementAndGet() == CLOSED;
    }

    void open() {
        state.getAndUpdate(seen -> seen & ~CLOSED);
    }

    void close() {
        state.getAndUpdate(seen -> seen | CLOSED);
    }

    boolean isClosedAndIdle() {
        return state.get() == CLOSED;
    }

    int running() {
        return state.get() & ~CLOSED;
    }
}
