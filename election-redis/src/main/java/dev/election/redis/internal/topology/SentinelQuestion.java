package dev.election.redis.internal.topology;

import dev.election.redis.internal.connection.ConnectThread;
import dev.election.redis.internal.connection.Utf8;
import dev.election.redis.internal.failure.Failures;
import dev.election.support.LogLimit;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisException;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.async.RedisAsyncCommands;
import io.lettuce.core.output.MapOutput;
import io.lettuce.core.output.ValueListOutput;
import io.lettuce.core.protocol.CommandArgs;
import io.lettuce.core.protocol.CommandType;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks a Sentinel for the primary: for its epoch, its address and the epoch again. {@code SENTINEL MASTER} has an address, too, but for a
 * while during a failover that is the old one beside the new epoch.
 */
public final class SentinelQuestion {

    private static final Logger log = LoggerFactory.getLogger(SentinelQuestion.class);

    private final RedisClient client;
    private final String primary;
    private final ConnectThread thread;
    private final LogLimit refusals = LogLimit.once();

    /**
     * @param primary what the Sentinels call it
     * @param thread where to connect
     */
    public SentinelQuestion(RedisClient client, String primary, ConnectThread thread) {
        this.client = client;
        this.primary = primary;
        this.thread = thread;
    }

    /** Asks a Sentinel over a connection of its own. */
    CompletableFuture<SentinelAnswer> ask(RedisURI sentinel) {
        CompletableFuture<SentinelAnswer> answer = new CompletableFuture<>();
        thread.attemptIn(0, () -> {
            CompletableFuture<?> unused = connect(sentinel)
                    .thenCompose(this::askAndClose)
                    .whenComplete((asked, failure) -> {
                        if (failure == null) {
                            answer.complete(asked.answer());
                        } else {
                            answer.completeExceptionally(failure);
                        }
                    });
        });
        return answer;
    }

    private CompletableFuture<Asked> askAndClose(StatefulRedisPubSubConnection<String, String> connection) {
        return askTwice(connection.async()).whenComplete((asked, failure) -> {
            CompletableFuture<Void> unused = connection.closeAsync();
        });
    }

    private CompletableFuture<StatefulRedisPubSubConnection<String, String>> connect(RedisURI sentinel) {
        try {
            return client.connectPubSubAsync(Utf8.CODEC, sentinel).toCompletableFuture();
        } catch (RuntimeException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    /** Asks once more where a failover came between the two epochs. */
    private CompletableFuture<Asked> askTwice(RedisAsyncCommands<String, String> sentinel) {
        return askOnce(sentinel)
                .thenCompose(asked -> asked.isSettled() ? CompletableFuture.completedFuture(asked) : askOnce(sentinel));
    }

    /** Sends all three questions before the first is answered, so that what is sent next follows them closely. */
    CompletableFuture<Asked> askOnce(RedisAsyncCommands<String, String> sentinel) {
        CompletableFuture<Long> before = epoch(sentinel);
        CompletableFuture<ServerAddress> server = address(sentinel);
        CompletableFuture<Long> after = epoch(sentinel);
        // A Sentinel that does not know the primary has no epoch to refuse.
        return server.thenCompose(
                named -> orNone(before).thenCombine(orNone(after), (first, second) -> new Asked(first, named, second)));
    }

    private CompletableFuture<Long> epoch(RedisAsyncCommands<String, String> sentinel) {
        return sentinel.dispatch(CommandType.SENTINEL, new MapOutput<>(Utf8.CODEC), arguments("MASTER"))
                .toCompletableFuture()
                .thenApply(SentinelQuestion::epoch);
    }

    private CompletableFuture<Long> orNone(CompletableFuture<Long> epoch) {
        return epoch.exceptionallyCompose(this::refusedEpoch);
    }

    private CompletableFuture<ServerAddress> address(RedisAsyncCommands<String, String> sentinel) {
        return sentinel.dispatch(
                        CommandType.SENTINEL, new ValueListOutput<>(Utf8.CODEC), arguments("GET-MASTER-ADDR-BY-NAME"))
                .toCompletableFuture()
                .thenApply(this::address);
    }

    private CommandArgs<String, String> arguments(String question) {
        return new CommandArgs<>(Utf8.CODEC).add(question).addKey(primary);
    }

    private static long epoch(Map<String, String> primary) {
        String epoch = primary.get("config-epoch");
        return epoch != null && epoch.matches("\\d{1,18}") ? Long.parseLong(epoch) : SentinelAnswer.NO_EPOCH;
    }

    private ServerAddress address(List<String> named) {
        if (named.size() != 2) {
            throw new RedisException("The Sentinel does not know a primary called [" + primary + "]");
        }
        return new ServerAddress(named.get(0), Integer.parseInt(named.get(1)));
    }

    private CompletableFuture<Long> refusedEpoch(Throwable failure) {
        if (!Failures.isReply(failure)) {
            return CompletableFuture.failedFuture(failure);
        }
        if (refusals.begins(this)) {
            log.warn(
                    "A Sentinel refuses SENTINEL MASTER {}: a Sentinel that is cut off together with an old primary"
                            + " can't be told from the others, and may be believed. Allow the user of the Sentinels that"
                            + " command. Further refusals are not logged ({})",
                    primary,
                    failure.getMessage());
        }
        return CompletableFuture.completedFuture(SentinelAnswer.NO_EPOCH);
    }

    /**
     * An answer and the epoch after it.
     *
     * @param before the epoch that was read before the address, which is of that failover or a later one
     * @param server the primary
     * @param after the epoch that was read after the address
     */
    public record Asked(long before, ServerAddress server, long after) {

        boolean isSettled() {
            return before == after;
        }

        public SentinelAnswer answer() {
            return new SentinelAnswer(before, server);
        }
    }
}
