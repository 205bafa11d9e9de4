package dev.election.internal.election;

import java.util.concurrent.atomic.AtomicLongArray;

/**
 * A striped counter of work: cells on separate cache lines, to which the id of a thread is hashed. Work that ends on another thread than it began on
 * may leave a cell below zero: only the sum is a count.
 */
final class WorkCells {

    private static final long SHUT = Long.MIN_VALUE;

    /** Distance of two cells in words: two cache lines, since processors fetch them in pairs. */
    private static final int STRIDE = 16;

    private static final int CELLS_FOR_A_PROCESSOR = 4;
    private static final int MOST_CELLS = 64;

    /** 2^64 divided by the golden ratio: spreads ids that follow each other. */
    private static final long SPREAD = 0x9E3779B97F4A7C15L;

    private final int shift;

    /** The first stride keeps the cells away from the length, which is read at each access. */
    private final AtomicLongArray words;

    WorkCells() {
        int wanted = Math.min(CELLS_FOR_A_PROCESSOR * Runtime.getRuntime().availableProcessors(), MOST_CELLS);
        this.shift = Long.numberOfLeadingZeros(wanted - 1);
        this.words = new AtomicLongArray(((1 << (Long.SIZE - shift)) + 1) * STRIDE);
        shut();
    }

    /** Adds to the cell of this thread. Returns false if that is shut. */
    boolean add(int difference) {
        int cell = (int) ((Thread.currentThread().getId() * SPREAD) >>> shift) * STRIDE + STRIDE;
        long seen = words.get(cell);
        while (seen != SHUT) {
            long found = words.compareAndExchange(cell, seen, seen + difference);
            if (found == seen) {
                return true;
            }
            seen = found;
        }
        return false;
    }

    void open() {
        for (int cell = STRIDE; cell < words.length(); cell += STRIDE) {
            words.compareAndSet(cell, SHUT, 0);
        }
    }

    /** Shuts all cells, and returns their sum. */
    long shut() {
        long sum = 0;
        for (int cell = STRIDE; cell < words.length(); cell += STRIDE) {
            sum += count(words.getAndSet(cell, SHUT));
        }
        return sum;
    }

    long sum() {
        long sum = 0;
        for (int cell = STRIDE; cell < words.length(); cell += STRIDE) {
            sum += count(words.get(cell));
        }
        return sum;
    }

    private static long count(long word) {
        return word == SHUT ? 0 : word;
    }
}
