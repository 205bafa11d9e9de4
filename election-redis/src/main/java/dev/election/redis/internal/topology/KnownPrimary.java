package dev.election.redis.internal.topology;

import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The server that is believed to be the primary, by the answers of the Sentinels so far. The highest epoch wins, also over later answers: a
 * Sentinel that is cut off together with an old primary goes on naming it, with the old epoch. Sentinels that are set up anew begin with
 * epoch 0, so a lower epoch is believed if a majority of the configured Sentinels names the same server, but not at once: right after a
 * failover only one Sentinel knows of it, and all others are such a majority.
 *
 * <p>Not thread-safe.
 */
final class KnownPrimary {

    /** Time that is enough for Sentinels to tell each other of a failover, which they do every two seconds. */
    static final long SPREADING = TimeUnit.SECONDS.toNanos(10);

    private final int majority;

    private @Nullable SentinelAnswer highest;

    /** When the highest epoch was first seen, by {@link System#nanoTime}. */
    private long highestSince;

    /** Whether a majority with a lower epoch was believed since. */
    private boolean overruled;

    private @Nullable ServerAddress believed;

    /**
     * @param sentinels how many are configured
     */
    KnownPrimary(int sentinels) {
        this.majority = sentinels / 2 + 1;
    }

    /** The server to connect to; {@code null} before the first look. */
    @Nullable
    ServerAddress believed() {
        return believed;
    }

    /** Takes in the answer of one Sentinel. A failover that none has reported before is believed at once. */
    void heard(SentinelAnswer answer, long now) {
        SentinelAnswer known = highest;
        if (known != null && answer.epoch() > known.epoch()) {
            highest = answer;
            highestSince = now;
            overruled = false;
            believed = answer.server();
        }
    }

    /**
     * Takes in the answers of all Sentinels that can be asked.
     *
     * @param answers at least one, in the order of the configured Sentinels
     * @return the server to connect to
     */
    ServerAddress looked(List<SentinelAnswer> answers, long now) {
        SentinelAnswer top = highestOf(answers);
        heard(top, now);
        SentinelAnswer known = highest;
        if (known == null) {
            known = top;
            // Nothing was heard before with which it could be compared.
            highestSince = now - SPREADING;
            highest = top.hasEpoch() ? top : null;
        }
        SentinelAnswer ofMajority = ofMajority(answers);
        ServerAddress next = believed;
        if (ofMajority != null && now - highestSince >= SPREADING) {
            overruled = ofMajority.epoch() < known.epoch();
            next = ofMajority.server();
        } else if (next == null || (top.epoch() == known.epoch() && !overruled)) {
            next = top.server();
        }
        believed = next;
        return next;
    }

    /** Returns the first answer with the highest epoch. */
    private static SentinelAnswer highestOf(List<SentinelAnswer> answers) {
        return answers.stream()
                .reduce((one, other) -> other.epoch() > one.epoch() ? other : one)
                .orElseThrow();
    }

    private @Nullable SentinelAnswer ofMajority(List<SentinelAnswer> answers) {
        Map<ServerAddress, List<SentinelAnswer>> byServer =
                answers.stream().collect(Collectors.groupingBy(SentinelAnswer::server));
        return byServer.values().stream()
                .filter(same -> same.size() >= majority)
                .findFirst()
                .map(KnownPrimary::highestOf)
                .orElse(null);
    }
}
