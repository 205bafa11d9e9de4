package dev.election;

/**
 * Work that a new leader does before all other work, such as finishing what the leader before it has begun. The recoveries of an election run
 * one after another when this node has been granted its lease. Until the last one has returned, {@link Election#beginWork} refuses all work
 * that is no part of them, and {@link LeadershipEvent.Acquired} is not published.
 *
 * <p>A node whose recovery throws, or takes too long, hands leadership over ({@link Election#giveUp}). It does not campaign again before the
 * recovery has returned, so recoveries of an election never run beside each other in one engine.
 */
@FunctionalInterface
public interface LeaderRecovery {

    /** The election before whose work this runs; with the name of a group of partitions, before the work of each partition that is led. */
    default String election() {
        return Election.DEFAULT;
    }

    /**
     * Runs on a thread for callbacks, as a part of that work. The thread is interrupted when the leadership ends and when the time is over.
     * Another node may lead before this returns: check {@link LeaderWork#isCurrent} before each step that can't be undone.
     *
     * @param work the work of the new leader, which the caller closes
     * @throws Exception if this node can't take over
     */
    void recover(LeaderWork work) throws Exception;
}
