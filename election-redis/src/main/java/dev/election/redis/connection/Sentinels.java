package dev.election.redis.connection;

import io.lettuce.core.RedisURI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Sentinels that know the primary.
 *
 * @param nodes where they are; empty if a server is reached without Sentinels
 * @param primary what they call it
 */
record Sentinels(List<RedisURI> nodes, @Nullable String primary) {

    static final Sentinels NONE = new Sentinels(List.of(), null);

    static Sentinels of(RedisURI uri) {
        return new Sentinels(List.copyOf(uri.getSentinels()), uri.getSentinelMasterId());
    }
}
