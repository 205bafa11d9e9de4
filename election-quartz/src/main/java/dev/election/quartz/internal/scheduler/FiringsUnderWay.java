package dev.election.quartz.internal.scheduler;

import dev.election.LeaderWork;
import dev.election.support.DaemonThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;

/**
 * Firings that a shared job store has given out, and whose jobs are still on the way to their threads. They are leader work from then on: a
 * leader that resigns waits for them. A veto would end them for all nodes, and the process that has to give them back is about to
 * end.
 */
public final class FiringsUnderWay {

    /**
     * Limit for the way of a firing to its thread, which is short, since Quartz gives out no more than it has threads for. A firing never
     * arrives if a listener of the application throws.
     */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final Executor THREADS = new DaemonThreads("election-quartz-firings").after(LONGEST);

    /** The work of each firing, by its id. */
    private final Map<String, LeaderWork> works = new ConcurrentHashMap<>();

    public void begin(String fireInstanceId, LeaderWork work) {
        works.put(fireInstanceId, work);
        THREADS.execute(() -> end(fireInstanceId));
    }

    /**
     * Returns the work of a firing that has arrived at its thread, to be closed by the caller; empty if there is none or its leadership is
     * over.
     */
    public Optional<LeaderWork> arrived(String fireInstanceId) {
        LeaderWork work = works.remove(fireInstanceId);
        if (work != null && !work.isCurrent()) {
            work.close();
            return Optional.empty();
        }
        return Optional.ofNullable(work);
    }

    /** Ends the work of a firing that has ended, unless it has arrived. */
    public void end(String fireInstanceId) {
        LeaderWork work = works.remove(fireInstanceId);
        if (work != null) {
            work.close();
        }
    }
}
