package dev.election.jobs.engine;

/** The place of a job on this node. A run by hand has it alone: it begins only if no other run is there, and runs by the schedule wait for its end. */
public final class JobPlace {

    private int runs;
    private boolean byHand;

    JobPlace() {}

    /** Takes the place for a run by hand. Returns false if a run is there. */
    public synchronized boolean takeByHand() {
        if (byHand || runs > 0) {
            return false;
        }
        byHand = true;
        return true;
    }

    /** Ends a run by hand, or gives it up. */
    public synchronized void leaveByHand() {
        byHand = false;
        notifyAll();
    }

    /** Whether a run by hand is there. */
    public synchronized boolean isByHand() {
        return byHand;
    }

    /**
     * Enters for another run.
     *
     * @param waits whether it waits for the end of a run by hand
     */
    public synchronized void enter(boolean waits) throws InterruptedException {
        while (waits && byHand) {
            wait();
        }
        runs++;
    }

    /** Ends a run that has entered. */
    public synchronized void leave() {
        runs--;
    }
}
