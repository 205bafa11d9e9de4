package dev.election.quartz.internal;

import dev.election.LeaderWork;
import dev.election.support.DelayedThreads;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Firings that a shared job store has given out, and whose jobs are still on the way to their threads. They are leader work from then on: a
 * leader that resigns waits for them. A veto would end them for all nodes, and the process that has to give them back is about to
 * end.
 */
final class FiringsUnderWay {

    /** A listener of the application that throws keeps a firing from ever arriving; Quartz gives out no more than it has threads for. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    private static final DelayedThreads THREADS = new DelayedThreads("election-quartz-firings");

    /** By the id of the firing. */
    private final Map<String, LeaderWork> works = new ConcurrentHashMap<>();

    void begin(String fireInstanceId, LeaderWork work) {
        works.put(fireInstanceId, work);
        THREADS.after(LONGEST).execute(() -> end(fireInstanceId));
    }

    /** It has arrived. Whoever asks has to close the work, which is there only while its leadership holds. */
    Optional<LeaderWork> arrived(String fireInstanceId) {
        LeaderWork work = works.remove(fireInstanceId);
        if (work != null && !work.isCurrent()) {
            work.close();
            return Optional.empty();
        }
        return Optional.ofNullable(work);
    }

    /** It has ended, whether or not it has arrived. */
    void end(String fireInstanceId) {
        LeaderWork work = works.remove(fireInstanceId);
        if (work != null) {
            work.close();
        }
    }
}
