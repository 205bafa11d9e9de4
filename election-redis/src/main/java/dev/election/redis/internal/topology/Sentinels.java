package dev.election.redis.internal.topology;

import io.lettuce.core.RedisURI;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Sentinels that know the primary.
 *
 * @param nodes where they are
 * @param primary what they call it
 * @param uri how to connect to it, but for its address
 */
public record Sentinels(List<RedisURI> nodes, String primary, RedisURI uri) {

    /** Returns the Sentinels of a URI; {@code null} if a server is reached without Sentinels. */
    public static @Nullable Sentinels of(@Nullable RedisURI uri) {
        return uri == null || uri.getSentinels().isEmpty()
                ? null
                : new Sentinels(List.copyOf(uri.getSentinels()), uri.getSentinelMasterId(), uri);
    }

    /** Returns the URI of a server. */
    RedisURI server(ServerAddress address) {
        return RedisURI.builder(uri)
                .withHost(address.host())
                .withPort(address.port())
                .build();
    }
}
