package dev.election.benchmarks;

import dev.election.LeaderOnly;
import net.javacrumbs.shedlock.spring.annotation.SchedulerLock;

/** Work that does next to nothing. Not final, so that it can be proxied, and a class for each guard. */
class Job {

    private int ran;

    public void run() {
        ran++;
    }

    int ran() {
        return ran;
    }

    /** Runs on the leader only. */
    static class OfLeader extends Job {

        @Override
        @LeaderOnly
        public void run() {
            super.run();
        }
    }

    /** A job of the leader, each of whose runs is recorded in the store. */
    static class OfRecordedLeader extends Job {

        @Override
        @LeaderOnly(job = "recorded")
        public void run() {
            super.run();
        }
    }

    /** Runs under a lock. */
    static class OfLockHolder extends Job {

        @Override
        @SchedulerLock(name = "free")
        public void run() {
            super.run();
        }
    }

    /** Runs under a lock that somebody else has. */
    static class OfOtherLockHolder extends Job {

        @Override
        @SchedulerLock(name = "held")
        public void run() {
            super.run();
        }
    }
}
