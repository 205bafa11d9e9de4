package dev.election.jobs.engine;

import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The place of a job on this node. A run by hand has it alone: it begins only if no other run is there, and one run by the schedule waits for its
 * end. Virtual threads may wait.
 */
public final class JobPlace {

    private final ReentrantLock lock = new ReentrantLock();
    private final Condition left = lock.newCondition();
    private int runs;
    private boolean byHand;
    private boolean isAwaited;

    JobPlace() {}

    /** How a run has entered. */
    public enum Entry {
        AT_ONCE,
        /** After the end of a run by hand. */
        LATE,
        /** Not at all: a run by hand is there, and another run waits for its end already. */
        REFUSED
    }

    /** Takes the place for a run by hand. Returns false if a run is there. */
    public boolean takeByHand() {
        lock.lock();
        try {
            boolean isFree = !byHand && runs == 0;
            byHand |= isFree;
            return isFree;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a run by hand, or gives it up. */
    public void leaveByHand() {
        lock.lock();
        try {
            byHand = false;
            left.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Enters for another run, whether one by hand is there or not. */
    public void enterBeside() {
        add(1);
    }

    /** Enters for another run unless one by hand is there. Returns whether it has. */
    public boolean enterIfFree() {
        lock.lock();
        try {
            runs += byHand ? 0 : 1;
            return !byHand;
        } finally {
            lock.unlock();
        }
    }

    /** Enters for another run, after the end of one by hand. */
    public Entry enter() throws InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!byHand) {
                runs++;
                return Entry.AT_ONCE;
            }
            if (isAwaited) {
                return Entry.REFUSED;
            }
            isAwaited = true;
            try {
                while (byHand) {
                    left.await();
                }
            } finally {
                isAwaited = false;
            }
            runs++;
            return Entry.LATE;
        } finally {
            lock.unlock();
        }
    }

    /** Ends a run that has entered. */
    public void leave() {
        add(-1);
    }

    private void add(int run) {
        lock.lock();
        try {
            runs += run;
        } finally {
            lock.unlock();
        }
    }
}
