package dev.election.internal.election;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts running leader work. Admits new work only while the gate is open, and parts of running work also while it is closed.
 *
 * <p>One atomic word decides. After contention on it, an open gate counts in cells beside it, and a cell counts only while the word is
 * open: the cells are opened after it, and shut, and their counts brought into it, before it closes. So the word of a closed gate has the
 * whole count, and a thread that finds its cell shut uses the word.
 */
public final class WorkGate {

    private static final long CLOSED = 1;
    private static final long ONE = 2;

    /** The count, and in the lowest bit whether the gate is closed: one word, so that nothing slips in while it closes. */
    private final AtomicLong word = new AtomicLong(CLOSED);

    private volatile @Nullable WorkCells cells;
    private volatile boolean contended;

    WorkGate() {}

    /** Creates a gate that counts in these cells from the beginning, without waiting for contention. */
    WorkGate(WorkCells cells) {
        this.cells = cells;
    }

    /** Counts new work. Returns false if the gate is closed. */
    boolean enter() {
        if (addToCell(1)) {
            return true;
        }
        long seen = word.get();
        while ((seen & CLOSED) == 0) {
            long found = word.compareAndExchange(seen, seen + ONE);
            if (found == seen) {
                return true;
            }
            contended = true;
            seen = found;
        }
        return false;
    }

    /** Counts a part of running work, also while the gate is closed. Returns false if it is closed and idle: then it stays idle. */
    boolean join() {
        if (addToCell(1)) {
            return true;
        }
        long seen = word.get();
        while (seen != CLOSED) {
            long found = word.compareAndExchange(seen, seen + ONE);
            if (found == seen) {
                return true;
            }
            seen = found;
        }
        return false;
    }

    /** Counts the recovery of a leader while the gate is closed. On the loop only. */
    void enterClosed() {
        word.addAndGet(ONE);
    }

    /** Ends work. Returns whether it was the last one behind a closed gate. */
    boolean exit() {
        return !addToCell(-1) && word.addAndGet(-ONE) == CLOSED;
    }

    /** Opens the gate. On the loop only, as {@link #close()}. Creates the cells too, so that none is open behind a closed word. */
    void open() {
        if (isClosed()) {
            word.addAndGet(-CLOSED);
        }
        if (cells == null && contended) {
            cells = new WorkCells();
        }
        if (cells != null) {
            cells.open();
        }
    }

    void close() {
        if (!isClosed()) {
            long counted = cells == null ? 0 : cells.shut();
            word.addAndGet(counted * ONE + CLOSED);
        }
    }

    boolean isClosedAndIdle() {
        return word.get() == CLOSED;
    }

    /** Returns the number of running works, which is exact while none begins or ends. */
    int running() {
        WorkCells beside = cells;
        long counted = (word.get() >> 1) + (beside == null ? 0 : beside.sum());
        return (int) Math.max(0, counted);
    }

    private boolean isClosed() {
        return (word.get() & CLOSED) != 0;
    }

    private boolean addToCell(int difference) {
        WorkCells beside = cells;
        return beside != null && beside.add(difference);
    }
}
