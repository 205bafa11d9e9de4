package dev.election.spring.internal.interruption;

/** Interrupts a call at most once, and not after it has ended. */
final class OneInterrupt implements AutoCloseable {

    private final Runnable interrupt;
    private final Runnable undo;
    private boolean interrupted;
    private boolean over;

    /**
     * @param interrupt interrupts the call
     * @param undo takes it back when the call has ended
     */
    OneInterrupt(Runnable interrupt, Runnable undo) {
        this.interrupt = interrupt;
        this.undo = undo;
    }

    /** Creates the interrupt of a call on this thread. */
    static OneInterrupt ofThisThread() {
        Thread thread = Thread.currentThread();
        boolean interruptedBefore = thread.isInterrupted();
        return new OneInterrupt(thread::interrupt, () -> {
            if (!interruptedBefore) {
                // The interrupt was for this call; the next blocking step of the caller must not fail because of it.
                Thread.interrupted();
            }
        });
    }

    synchronized void interrupt() {
        if (!over && !interrupted) {
            interrupted = true;
            interrupt.run();
        }
    }

    /** Ends the call. To be called on its thread. */
    @Override
    public synchronized void close() {
        over = true;
        if (interrupted) {
            undo.run();
        }
    }
}
