package dev.election.redis;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * How long an attempt to connect may take, from the first packet to the end of the handshake: TCP, TLS, HELLO, AUTH and SELECT are
 * several round trips, so a link on which a request is answered in time may need much longer to connect. It doubles with each
 * attempt that took all of it, and shrinks again when a connection is made. The client's own limits are fixed when it is made: they
 * are the longest that this can be.
 */
final class ConnectPatience implements NettyCustomizer {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long LONGEST = 10 * SECOND;

    private final long first;
    private final long longest;

    /** Channels from their first packet to the end of their handshake. */
    private final Set<Channel> connecting = ConcurrentHashMap.newKeySet();

    private volatile long present;

    ConnectPatience(Duration lease) {
        long nanos = lease.toNanos();
        // A lost packet is sent again after a second. With a very short lease there must be time for a second attempt.
        this.first = Math.min(LONGEST, Math.max(nanos / 4, Math.min(SECOND, nanos / 2)));
        // On a bad link most attempts need longer than a short lease.
        this.longest = Math.max(first, Math.min(LONGEST, 2 * nanos));
        this.present = first;
    }

    Duration longest() {
        return Duration.ofNanos(longest);
    }

    long nanos() {
        return present;
    }

    /** An attempt took that long and all of its patience. */
    void timedOutAfter(long nanos) {
        present = Math.min(longest, Math.max(present, 2 * nanos));
    }

    /** An attempt took that long and has led to a connection. */
    void connectedAfter(long nanos) {
        present = Math.min(longest, Math.max(first, 2 * nanos));
    }

    /** Ends all attempts that are under way, because where they lead is known to be wrong. */
    void abandon(RedisException reason) {
        connecting.forEach(channel -> channel.eventLoop().execute(() -> end(channel, reason)));
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        bootstrap.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(present)));
    }

    @Override
    public void afterChannelInitialized(Channel channel) {
        RedisHandshakeHandler handshake = channel.pipeline().get(RedisHandshakeHandler.class);
        if (handshake == null) {
            return;
        }
        long patience = present;
        connecting.add(channel);
        Future<?> timeout =
                channel.eventLoop().schedule(() -> endHandshake(channel, patience), patience, TimeUnit.NANOSECONDS);
        handshake.channelInitialized().whenComplete((done, failure) -> {
            connecting.remove(channel);
            timeout.cancel(false);
        });
        Future<?> unused = channel.closeFuture().addListener(closed -> {
            connecting.remove(channel);
            timeout.cancel(false);
        });
    }

    /** What is not even connected by now ends by the option that was set above. */
    private static void endHandshake(Channel channel, long patience) {
        if (channel.isActive()) {
            end(
                    channel,
                    new RedisCommandTimeoutException("Connection initialization timed out after "
                            + TimeUnit.NANOSECONDS.toMillis(patience) + "ms"));
        }
    }

    private static void end(Channel channel, RedisException reason) {
        if (channel.isActive()) {
            channel.pipeline().fireExceptionCaught(reason);
        } else {
            Future<?> unused = channel.close();
        }
    }
}
