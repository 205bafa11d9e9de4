package dev.election.redis.connection;

import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * How long an attempt to connect may take, from the first packet to the end of the handshake: TCP, TLS, HELLO, AUTH and SELECT are
 * several round trips, so a link on which a request is answered in time may need much longer to connect. It doubles with each
 * attempt that took all of it, and is halved at most when a connection is made: two connections share it, and the one that was quick
 * says little of the other. The client's own limits are fixed when it is made: they
 * are the longest that this can be.
 */
final class ConnectPatience implements NettyCustomizer {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);

    /**
     * To connect takes a few milliseconds of processor time, so a thousand clients that begin together on two cores take several seconds.
     * An attempt that is given up before and begun anew makes it more for all.
     */
    private static final long LONGEST = 10 * SECOND;

    private final long first;
    private final long longest;

    /** Channels from their first packet to the end of their handshake. */
    private final Set<Channel> connecting = ConcurrentHashMap.newKeySet();

    private volatile long present;

    /** Whether a connection was ever made. */
    private volatile boolean connected;

    private volatile ScheduledExecutorService reading = GlobalEventExecutor.INSTANCE;

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
    synchronized void timedOutAfter(long nanos) {
        present = Math.min(longest, Math.max(present, 2 * nanos));
    }

    /** An attempt took that long and has led to a connection. */
    synchronized void connectedAfter(long nanos) {
        connected = true;
        present = Math.min(longest, Math.max(first, Math.max(2 * nanos, present / 2)));
    }

    /** Ends all attempts that are under way, because where they lead is known to be wrong. */
    void abandon(RedisException reason) {
        connecting.forEach(channel -> channel.eventLoop().execute(() -> end(channel, reason)));
    }

    /** The thread that reads the latest connection, whoever has made that thread. */
    ScheduledExecutorService reading() {
        return reading;
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
        reading = channel.eventLoop();
        ActiveFirst.addTo(channel, handshake);
        connecting.add(channel);
        Future<?> timeout = awaitHandshake(channel, handshake());
        handshake.channelInitialized().whenComplete((done, failure) -> {
            connecting.remove(channel);
            timeout.cancel(false);
        });
        Future<?> unused = channel.closeFuture().addListener(closed -> {
            connecting.remove(channel);
            timeout.cancel(false);
        });
    }

    /**
     * Of a handshake. A process that was never connected has no lease to lose, and many may begin together: each attempt that is given
     * up for another makes them all wait longer.
     */
    private long handshake() {
        return connected ? present : longest;
    }

    private Future<?> awaitHandshake(Channel channel, long patience) {
        TimeLimit limit = TimeLimit.in(patience, patience);
        return channel.eventLoop().schedule(() -> endHandshake(channel, limit), patience, TimeUnit.NANOSECONDS);
    }

    /** What is not even connected by now ends by the option that was set above. */
    private void endHandshake(Channel channel, TimeLimit limit) {
        if (!connecting.contains(channel) || !channel.isActive()) {
            return;
        }
        if (limit.isNoticedLate()) {
            // It is this machine that is slow, and it would not be faster with another attempt.
            Future<?> unused = awaitHandshake(channel, limit.patience());
            return;
        }
        end(
                channel,
                new RedisCommandTimeoutException("Connection initialization timed out after "
                        + TimeUnit.NANOSECONDS.toMillis(limit.patience()) + "ms"));
    }

    private static void end(Channel channel, RedisException reason) {
        if (channel.isActive()) {
            channel.pipeline().fireExceptionCaught(reason);
        } else {
            Future<?> unused = channel.close();
        }
    }
}
