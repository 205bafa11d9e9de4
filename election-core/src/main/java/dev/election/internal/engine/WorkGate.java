package dev.election.internal.engine;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Counts running leader work, and admits more only while it is open, or what joins work that is running.
 *
 * <p>One word decides. Once threads have met there, an open gate counts in cells beside it, and a cell counts only while the word is
 * open: the cells are opened after it, and shut, and their counts brought into it, before it closes. So the word of a closed gate has the
 * whole count, and whoever finds a cell shut goes to the word.
 */
final class WorkGate {

    private static final long CLOSED = 1;
    private static final long ONE = 2;

    /** The count, and in the lowest bit whether the gate is closed: one word, so that nothing slips in while it closes. */
    private final AtomicLong word = new AtomicLong(CLOSED);

    private volatile @Nullable WorkCells cells;
    private volatile boolean contended;

    WorkGate() {}

    /** Counts in these from the beginning, without waiting until threads have met. */
    WorkGate(WorkCells cells) {
        this.cells = cells;
    }

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

    /** Also while it is closed, but never when nothing is running then: what is closed and idle stays so. */
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

    /** While it is closed: the recovery of a leader that admits nothing else yet. By the loop alone. */
    void enterClosed() {
        word.addAndGet(ONE);
    }

    /** Whether that was the last one behind a closed gate. */
    boolean exit() {
        return !addToCell(-1) && word.addAndGet(-ONE) == CLOSED;
    }

    /** By the loop alone, as {@link #close()}. Cells are made here too, so that none is open behind a closed word. */
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

    /** Exact while nothing begins or ends. */
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
