package dev.election.redis.bridge;

import dev.election.redis.script.RedisScripts;
import dev.election.support.RandomId;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock under which the old nodes elect, in the format of Redisson. An old node holds it for some milliseconds every half minute, or for
 * its whole lease if it died in between.
 */
final class OldLock {

    private static final Logger log = LoggerFactory.getLogger(OldLock.class);

    private final RedisScripts.Script script;
    private final String[] keys;
    private final String channel;
    private final Duration lease;

    /**
     * @param lease how long the lock lasts if it is not released; longer than two requests take
     */
    OldLock(RedisScripts scripts, String name, Duration lease) {
        this.script = scripts.load("bridge-lock");
        this.keys = new String[] {name};
        this.channel = "redisson_lock__channel" + (name.contains("{") ? ":" + name : ":{" + name + "}");
        this.lease = lease;
    }

    /** How long others still hold the lock; zero if nobody does. */
    CompletionStage<Duration> look() {
        return ask("look", "").thenApply(OldLock::heldFor);
    }

    /**
     * Sends a request under the lock. It counts only if its reply came before the lock can have ended: else an old node may have held the
     * lock when it was carried out.
     */
    CompletionStage<Guarded> guard(Supplier<CompletionStage<KeyReply>> request) {
        // Redisson's form of an owner is the id of a client and the number of a thread. Each attempt of ours is a
        // client.
        String owner = RandomId.ofBytes(16) + ":1";
        long sentAt = System.nanoTime();
        return ask("acquire", owner)
                .thenApply(OldLock::heldFor)
                .thenCompose(heldFor -> heldFor.isZero()
                        ? request.get().thenApply(reply -> covered(reply, sentAt))
                        : CompletableFuture.completedFuture(new Guarded(heldFor, null)))
                .whenComplete((outcome, failure) -> {
                    if (failure != null || outcome.reply() != null) {
                        release(owner);
                    }
                });
    }

    /**
     * Outcome of a request under the lock.
     *
     * @param heldFor how long others hold the lock, zero if they do not
     * @param reply the reply, {@code null} if others hold the lock and nothing was sent
     */
    record Guarded(Duration heldFor, @Nullable KeyReply reply) {}

    private Guarded covered(KeyReply reply, long sentAt) {
        if (System.nanoTime() - sentAt >= lease.toNanos()) {
            throw new IllegalStateException("The lock of the old scheduler lasts " + ReadableDuration.of(lease)
                    + ", and Redis took longer to reply to requests under it");
        }
        return new Guarded(Duration.ZERO, reply);
    }

    private void release(String owner) {
        ask("release", owner).whenComplete((reply, failure) -> {
            if (failure != null) {
                log.debug("The lock of the old scheduler was not released and ends by itself", failure);
            }
        });
    }

    private CompletionStage<List<String>> ask(String what, String owner) {
        return script.run(keys, what, owner, Long.toString(lease.toMillis()), channel);
    }

    /** Returns for how long others hold the lock. One without an end, which Redisson does not leave, counts as held for a day. */
    private static Duration heldFor(List<String> reply) {
        if (!reply.get(0).equals("held")) {
            return Duration.ZERO;
        }
        long left = Long.parseLong(reply.get(1));
        return left < 0 ? Duration.ofDays(1) : Duration.ofMillis(left + 1);
    }
}
