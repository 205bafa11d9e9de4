package dev.election.redis.client;

import io.lettuce.core.ClientOptions;
import io.lettuce.core.ClientOptions.DisconnectedBehavior;
import io.lettuce.core.RedisCredentialsProvider;
import io.lettuce.core.SocketOptions;
import io.lettuce.core.SocketOptions.KeepAliveOptions;
import io.lettuce.core.TimeoutOptions;
import io.lettuce.core.cluster.ClusterClientOptions;
import io.lettuce.core.cluster.ClusterTopologyRefreshOptions;
import io.lettuce.core.resource.ClientResources;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * Settings that every client for leases has to use.
 *
 * @param resources its threads, which are the store's own
 * @param connect the longest that an attempt to connect may take; the store sets closer limits
 * @param request how long a reply is waited for
 * @param nonBlocking wraps a provider of credentials so that it is asked on another thread, which it may block
 */
public record ClientSettings(
        ClientResources resources,
        Duration connect,
        Duration request,
        UnaryOperator<RedisCredentialsProvider> nonBlocking) {

    private static final KeepAliveOptions KEEP_ALIVE = KeepAliveOptions.builder()
            .enable()
            .idle(Duration.ofSeconds(10))
            .interval(Duration.ofSeconds(5))
            .count(3)
            .build();

    /** Adapts options to leases: the store itself reconnects and gives up requests. */
    public ClientOptions options(ClientOptions common, boolean isUnixSocket) {
        ClientOptions.Builder builder = common.mutate()
                .autoReconnect(false)
                .disconnectedBehavior(DisconnectedBehavior.REJECT_COMMANDS)
                .timeoutOptions(TimeoutOptions.enabled(request))
                .socketOptions(socketOptions(common.getSocketOptions(), isUnixSocket));
        MaintenanceNotifications.disable(builder);
        if (builder instanceof ClusterClientOptions.Builder cluster) {
            return cluster.topologyRefreshOptions(ClusterTopologyRefreshOptions.builder()
                            .adaptiveRefreshTriggersTimeout(Duration.ofSeconds(1))
                            .build())
                    .build();
        }
        return builder.build();
    }

    /** Wraps a provider so that it is asked on a thread that it may block. */
    public RedisCredentialsProvider credentials(RedisCredentialsProvider provider) {
        return nonBlocking.apply(provider);
    }

    /** Leaves out the options of TCP on a Unix socket: the client would warn of them, and the system notices a dead peer without them. */
    private SocketOptions socketOptions(SocketOptions common, boolean isUnixSocket) {
        SocketOptions.Builder builder = common.mutate().connectTimeout(connect);
        return isUnixSocket
                ? builder.keepAlive(false).build()
                : builder.tcpNoDelay(true).keepAlive(KEEP_ALIVE).build();
    }
}
