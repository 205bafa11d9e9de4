package dev.election.redis.internal.connection;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Sentinels that did not answer in time, though another did since: to wait for them again as long as for a server would delay each
 * connection. A majority of the Sentinels is enough, but a server that is slow to connect has to be waited for.
 */
final class SilentSentinels {

    private final long least;
    private final Map<String, Long> since = new ConcurrentHashMap<>();

    private volatile @Nullable Answer latest;

    /**
     * @param least how long each is waited for in any case, in nanoseconds
     */
    SilentSentinels(long least) {
        this.least = least;
    }

    /** Records that a Sentinel did not answer in time. */
    void noteSilence(String sentinel) {
        since.putIfAbsent(sentinel, System.nanoTime());
    }

    /** Records how long a Sentinel took to answer. */
    void noteAnswer(String sentinel, long nanos) {
        since.remove(sentinel);
        latest = new Answer(System.nanoTime(), nanos);
    }

    /**
     * Longest wait for the answer of a Sentinel.
     *
     * @param usual how long it would be otherwise
     */
    long timeout(String sentinel, long usual) {
        Long silentSince = since.get(sentinel);
        Answer other = latest;
        return silentSince == null || other == null || other.at - silentSince < 0
                ? usual
                : Math.min(usual, Math.max(least, 4 * other.took));
    }

    private record Answer(long at, long took) {}
}
