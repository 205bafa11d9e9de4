package dev.election.redis.internal.topology;

import dev.election.redis.internal.connection.ConnectThread;
import dev.election.redis.internal.failure.StoreClosedException;
import dev.election.redis.internal.topology.SentinelQuestion.Asked;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The server that the Sentinels call the primary. All of them are asked: one that is cut off together with an old primary still names that
 * one. There is one look at a time.
 */
public final class Primary {

    private static final Logger log = LoggerFactory.getLogger(Primary.class);

    private final List<RedisURI> sentinels;
    private final SentinelQuestion question;
    private final ConnectThread thread;
    private final LongSupplier timeout;
    private final Runnable moved;

    /** Guarded by this, as are the following. */
    private final KnownPrimary known;

    /** The look under way. */
    private @Nullable CompletableFuture<ServerAddress> look;

    /** Whether something happened that the look under way may have missed. */
    private boolean again;

    /** Whether another look is due since the Sentinels disagree. */
    private boolean isDue;

    /** Whether a Sentinel that has answered last named the server that is used. */
    private boolean isNamed = true;

    private boolean closed;

    /**
     * @param sentinels those that are configured
     * @param thread for looks that are due later
     * @param timeout how long a Sentinel may take to connect, in nanoseconds
     * @param moved told when another server than before is believed to be the primary
     */
    public Primary(
            List<RedisURI> sentinels,
            SentinelQuestion question,
            ConnectThread thread,
            LongSupplier timeout,
            Runnable moved) {
        this.sentinels = sentinels;
        this.question = question;
        this.thread = thread;
        this.timeout = timeout;
        this.moved = moved;
        this.known = new KnownPrimary(sentinels.size());
    }

    /** Asks where it is. Blocks; fails if no Sentinel answers. */
    ServerAddress find() {
        try {
            return look().get();
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RedisException known
                    ? known
                    : new RedisException("The Sentinels could not be asked for the primary", failure.getCause());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new RedisException("The Sentinels could not be asked for the primary", interrupted);
        }
    }

    /** Looks for the primary after a failover was, or may have been, announced. */
    void lookAgain() {
        synchronized (this) {
            if (look != null) {
                again = true;
                return;
            }
        }
        CompletableFuture<ServerAddress> unused = look();
    }

    /**
     * Asks a Sentinel just before the subscription to it, since its earlier announcements were missed. Sends all of the question before it
     * returns.
     */
    void compareWith(RedisAsyncCommands<String, String> sentinel) {
        // What a look under way finds comes first.
        CompletableFuture<?> unused = question.askOnce(sentinel)
                .thenCompose(asked -> underWay().handle((server, failure) -> {
                    compare(asked);
                    return asked;
                }));
    }

    private synchronized CompletableFuture<?> underWay() {
        return look == null ? CompletableFuture.completedFuture(null) : look;
    }

    private void compare(Asked asked) {
        if (!asked.isSettled() || !isAt(asked.server())) {
            lookAgain();
        }
    }

    /** Whether that server is believed to be the primary. */
    synchronized boolean isAt(ServerAddress server) {
        return server.equals(known.believed());
    }

    void close() {
        CompletableFuture<ServerAddress> last;
        synchronized (this) {
            closed = true;
            last = look;
        }
        if (last != null) {
            last.completeExceptionally(new StoreClosedException());
        }
    }

    private CompletableFuture<ServerAddress> look() {
        CompletableFuture<ServerAddress> begun = new CompletableFuture<>();
        synchronized (this) {
            if (look != null) {
                return look;
            }
            if (closed) {
                return CompletableFuture.failedFuture(new StoreClosedException());
            }
            look = begun;
        }
        List<CompletableFuture<SentinelAnswer>> asked =
                sentinels.stream().map(this::ask).toList();
        // To connect, and then to answer.
        CompletableFuture<?> unused = PrimaryLook.at(asked, thread, 2 * timeout.getAsLong())
                .whenComplete((answers, failure) -> {
                    if (failure == null) {
                        end(begun, answers);
                    } else {
                        fail(begun, failure);
                    }
                });
        return begun;
    }

    private CompletableFuture<SentinelAnswer> ask(RedisURI sentinel) {
        return question.ask(sentinel).whenComplete((answer, failure) -> {
            if (failure == null) {
                heard(answer);
            }
        });
    }

    private void heard(SentinelAnswer answer) {
        ServerAddress before;
        ServerAddress after;
        synchronized (this) {
            before = known.believed();
            known.heard(answer, System.nanoTime());
            after = known.believed();
        }
        tell(before, after);
    }

    private void end(CompletableFuture<ServerAddress> ended, List<SentinelAnswer> answers) {
        ServerAddress before;
        ServerAddress after;
        synchronized (this) {
            before = known.believed();
            after = known.looked(answers, System.nanoTime());
        }
        tell(before, after);
        boolean next = isNextDue();
        ended.complete(after);
        List<ServerAddress> named =
                answers.stream().map(SentinelAnswer::server).distinct().toList();
        warnUnlessNamed(after, named);
        if (next) {
            lookAgain();
        } else if (named.size() > 1) {
            lookLater();
        }
    }

    private void fail(CompletableFuture<ServerAddress> ended, Throwable failure) {
        boolean next = isNextDue();
        ended.completeExceptionally(failure);
        if (next) {
            lookAgain();
        }
    }

    /** Ends the look under way, and returns whether another one is due. */
    private synchronized boolean isNextDue() {
        boolean next = again;
        again = false;
        look = null;
        return next;
    }

    private void warnUnlessNamed(ServerAddress server, List<ServerAddress> named) {
        boolean wasNamed;
        synchronized (this) {
            wasNamed = isNamed;
            isNamed = named.contains(server);
            if (isNamed || !wasNamed) {
                return;
            }
        }
        log.warn(
                "The Sentinels that answer name {} as the primary, with an older epoch than that of {}, which is still"
                        + " used. Another server is used once a majority of the {} configured Sentinels names it. Check"
                        + " that all of them exist and can be reached",
                named,
                server,
                sentinels.size());
    }

    /** Looks again later, since the Sentinels name different servers: by then they agree, or a majority is believed. */
    private void lookLater() {
        synchronized (this) {
            if (isDue) {
                return;
            }
            isDue = true;
        }
        thread.attemptIn(TimeUnit.NANOSECONDS.toMillis(KnownPrimary.SPREADING), () -> {
            synchronized (this) {
                isDue = false;
            }
            lookAgain();
        });
    }

    private void tell(@Nullable ServerAddress before, @Nullable ServerAddress after) {
        if (before != null && !before.equals(after)) {
            moved.run();
        }
    }
}
