package dev.election.redis.internal.topology;

import dev.election.redis.internal.connection.ConnectThread;
import io.lettuce.core.RedisException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The answers of all Sentinels to a question at the same time. Waits for all of them, but once a majority has answered only a little longer
 * for the others: after a failover the host of the old primary is often silent, with its Sentinel.
 */
final class PrimaryLook {

    private static final long LEAST_GRACE_MILLIS = 100;

    private final List<CompletableFuture<SentinelAnswer>> asked;
    private final ConnectThread timer;
    private final long begun = System.nanoTime();
    private final AtomicBoolean hasMajority = new AtomicBoolean();
    private final CompletableFuture<List<SentinelAnswer>> end = new CompletableFuture<>();

    private PrimaryLook(List<CompletableFuture<SentinelAnswer>> asked, ConnectThread timer) {
        this.asked = asked;
        this.timer = timer;
    }

    /**
     * Returns the answers in the order of the Sentinels; fails if there is none.
     *
     * @param asked one for each Sentinel
     * @param timeout how long all of them are waited for at most
     */
    static CompletableFuture<List<SentinelAnswer>> at(
            List<CompletableFuture<SentinelAnswer>> asked, ConnectThread timer, long timeout) {
        PrimaryLook look = new PrimaryLook(asked, timer);
        asked.forEach(look::await);
        timer.attemptIn(TimeUnit.NANOSECONDS.toMillis(timeout), look::end);
        return look.end;
    }

    private void await(CompletableFuture<SentinelAnswer> one) {
        CompletableFuture<?> unused = one.whenComplete((answer, failure) -> progress());
    }

    private void progress() {
        if (asked.stream().allMatch(CompletableFuture::isDone)) {
            end();
        } else if (answers().size() > asked.size() / 2 && hasMajority.compareAndSet(false, true)) {
            long took = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begun);
            timer.attemptIn(Math.max(LEAST_GRACE_MILLIS, took), this::end);
        }
    }

    private void end() {
        List<SentinelAnswer> answers = answers();
        if (answers.isEmpty()) {
            end.completeExceptionally(noAnswer());
        } else {
            end.complete(answers);
        }
    }

    private List<SentinelAnswer> answers() {
        return asked.stream()
                .filter(one -> one.isDone() && !one.isCompletedExceptionally())
                .map(CompletableFuture::join)
                .toList();
    }

    private RedisException noAnswer() {
        List<Throwable> failures = asked.stream()
                .filter(CompletableFuture::isCompletedExceptionally)
                .map(one -> one.handle((answer, failure) -> failure).join())
                .toList();
        RedisException failure = new RedisException(
                "No Sentinel answers which server is the primary", failures.isEmpty() ? null : failures.get(0));
        failures.forEach(failure::addSuppressed);
        return failure;
    }
}
