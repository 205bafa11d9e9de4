package dev.election.redis.internal.connection;

import io.lettuce.core.ConnectionBuilder;
import io.lettuce.core.RedisCommandTimeoutException;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.protocol.RedisHandshakeHandler;
import io.lettuce.core.resource.NettyCustomizer;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOption;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Time limit of an attempt to connect, from the first packet to the end of the handshake: TCP, TLS, HELLO, AUTH and SELECT are several
 * round trips, so a link on which a request is answered in time may need much longer to connect. The limit doubles with each attempt that
 * took all of it, and is halved at most when a connection is made: two connections share it, and a quick one says little of the other. The
 * limits of the client are fixed when it is created: they are the longest that this one can be.
 */
public final class ConnectTimeout implements NettyCustomizer {

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

    private final SilentSentinels silent;

    /** Latest connections that were made, to any server or Sentinel. Guarded by itself. */
    private final Deque<Made> made = new ArrayDeque<>();

    /** Addresses of the Sentinels that are asked for the primary, as in the texts of their URIs. */
    private volatile Set<String> sentinels = Set.of();

    /** Reason for which every attempt ends at once; {@code null} while the store is open. */
    private volatile @Nullable RedisException closed;

    /** Completes when the first attempt has loaded all that it needs, and is about to send its first packet. */
    private final CompletableFuture<Void> firstAttempt = new CompletableFuture<>();

    private volatile long present;

    /** Whether a connection was ever made. */
    private volatile boolean connected;

    private volatile ScheduledExecutorService reading = GlobalEventExecutor.INSTANCE;

    public ConnectTimeout(Duration lease) {
        long nanos = lease.toNanos();
        // A lost packet is sent again after a second. With a very short lease there must be time for a second attempt.
        this.first = Math.min(LONGEST, Math.max(nanos / 4, Math.min(SECOND, nanos / 2)));
        // On a bad link most attempts need longer than a short lease.
        this.longest = Math.max(first, Math.min(LONGEST, 2 * nanos));
        this.present = first;
        this.silent = new SilentSentinels(Math.min(SECOND, nanos / 16));
    }

    /** Sets the Sentinels that are asked for the server. A silent one is not waited for as long as a server that connects slowly. */
    public void throughSentinels(Collection<RedisURI> nodes) {
        // Not by the text of their own URIs, which asks for the credentials.
        sentinels = nodes.stream()
                .map(node ->
                        address(RedisURI.create(node.getHost(), node.getPort()).toString()))
                .collect(Collectors.toUnmodifiableSet());
    }

    public Duration longest() {
        return Duration.ofNanos(longest);
    }

    public long nanos() {
        return present;
    }

    /** Records an attempt that used up its time limit. */
    synchronized void timedOutAfter(long nanos) {
        present = Math.min(longest, Math.max(present, 2 * nanos));
    }

    /** Records how long an attempt took that has led to a connection. */
    synchronized void connectedAfter(long nanos) {
        connected = true;
        present = Math.min(longest, Math.max(first, Math.max(2 * nanos, present / 2)));
    }

    /**
     * Longest time that one of the connections made since then took, or all the time since then if none was. An attempt may ask several
     * Sentinels before the server, and the silent ones do not count.
     */
    long slowestSince(long begun) {
        synchronized (made) {
            return made.stream()
                    .filter(one -> one.at - begun >= 0)
                    .mapToLong(Made::took)
                    .max()
                    .orElseGet(() -> System.nanoTime() - begun);
        }
    }

    /** Ends all attempts that are under way, and each that begins after that. */
    public void close(RedisException reason) {
        closed = reason;
        connecting.forEach(channel -> endSoon(channel, reason));
    }

    /** Ends all attempts to connect to a server that are under way, because it is known to be the wrong one. */
    public void abandon(RedisException reason) {
        connecting.stream().filter(channel -> sentinel(channel) == null).forEach(channel -> endSoon(channel, reason));
    }

    /** Completes when the first packet of this process is about to be sent. */
    public CompletionStage<Void> firstAttempt() {
        return firstAttempt;
    }

    /** The thread that reads the latest connection, whoever has made that thread. */
    public ScheduledExecutorService reading() {
        return reading;
    }

    @Override
    public void afterBootstrapInitialized(Bootstrap bootstrap) {
        String sentinel = sentinel((String) bootstrap.config().attrs().get(ConnectionBuilder.REDIS_URI));
        long timeout = sentinel == null ? present : silent.timeout(sentinel, present);
        bootstrap.option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(TimeUnit.NANOSECONDS.toMillis(timeout)));
        firstAttempt.complete(null);
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
        RedisException end = closed;
        if (end != null) {
            // Not yet: the client listens to the channel only once it is set up.
            endSoon(channel, end);
        }
        Look look = new Look(channel, sentinel(channel));
        look.lookIn(look.timeout);
        handshake.channelInitialized().whenComplete((done, failure) -> {
            connecting.remove(channel);
            look.end(failure == null);
        });
        Future<?> unused = channel.closeFuture().addListener(closed -> {
            connecting.remove(channel);
            look.end(false);
        });
    }

    private @Nullable String sentinel(Channel channel) {
        return sentinel(channel.attr(ConnectionBuilder.REDIS_URI).get());
    }

    /** Which Sentinel is asked over a connection with that URI; {@code null} if it leads to a server. */
    private @Nullable String sentinel(@Nullable String uri) {
        String address = uri == null ? "" : address(uri);
        return sentinels.contains(address) ? address : null;
    }

    /** Host and port of a URI whose other parts are encoded: {@code redis://user:***@host:port/database?timeout=1s}. */
    private static String address(String uri) {
        return uri.replaceFirst(".*(//|@)", "").replaceFirst("[/?].*", "");
    }

    /**
     * Time limit for the handshake with a server. A process that was never connected has no lease to lose, and many may begin together:
     * each attempt that is given up for another makes them all wait longer.
     */
    private long handshake() {
        return connected ? present : longest;
    }

    private void noteMade(long took) {
        synchronized (made) {
            made.add(new Made(System.nanoTime(), took));
            if (made.size() > 64) {
                made.remove();
            }
        }
    }

    private static void endSoon(Channel channel, RedisException reason) {
        channel.eventLoop().execute(() -> end(channel, reason));
    }

    private static void end(Channel channel, RedisException reason) {
        if (channel.isActive()) {
            channel.pipeline().fireExceptionCaught(reason);
        } else {
            // Otherwise the caller learns only that the channel is closed.
            channel.attr(ConnectionBuilder.INIT_FAILURE).set(reason);
            Future<?> unused = channel.close();
        }
    }

    /** Watches a handshake until it has ended. */
    private final class Look {

        private final Channel channel;
        private final @Nullable String sentinel;
        private final long begun = System.nanoTime();
        private final long timeout;
        private volatile boolean isOver;
        private volatile @Nullable Future<?> next;

        private Look(Channel channel, @Nullable String sentinel) {
            this.channel = channel;
            this.sentinel = sentinel;
            this.timeout = sentinel == null ? handshake() : silent.timeout(sentinel, present);
        }

        private void lookIn(long nanos) {
            TimeLimit limit = TimeLimit.in(nanos, nanos);
            next = channel.eventLoop().schedule(() -> look(limit), nanos, TimeUnit.NANOSECONDS);
        }

        /** Ends a handshake over its limit. An attempt without a TCP connection ends by the option of the bootstrap. */
        private void look(TimeLimit limit) {
            if (isOver || !channel.isActive()) {
                return;
            }
            if (limit.isNoticedLate()) {
                // This machine is slow; another attempt would not be faster.
                lookIn(timeout);
                return;
            }
            ConnectTimeout.end(
                    channel,
                    new RedisCommandTimeoutException("Connection initialization timed out after "
                            + TimeUnit.NANOSECONDS.toMillis(timeout) + " ms"));
        }

        private void end(boolean isMade) {
            if (isOver) {
                return;
            }
            isOver = true;
            Future<?> look = next;
            if (look != null) {
                look.cancel(false);
            }
            long took = System.nanoTime() - begun;
            if (isMade) {
                noteMade(took);
            }
            if (sentinel != null && isMade) {
                silent.noteAnswer(sentinel, took);
            } else if (sentinel != null && took >= timeout) {
                silent.noteSilence(sentinel);
            }
        }
    }

    private record Made(long at, long took) {}
}
