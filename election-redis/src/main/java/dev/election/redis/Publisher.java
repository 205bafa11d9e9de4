package dev.election.redis;

import dev.election.redis.internal.requests.RedisRequests;
import dev.election.store.AnnounceReply;
import java.util.concurrent.CompletionStage;

/** Publishes messages over the connection for requests, in their order. */
final class Publisher {

    private final RedisRequests requests;
    private final RedisSettings.Names names;
    private final SendingOrder order;

    Publisher(RedisRequests requests, RedisSettings.Names names) {
        this.requests = requests;
        this.names = names;
        this.order = new SendingOrder(task -> requests.thread().execute(task));
    }

    CompletionStage<AnnounceReply> publish(String channel, String text) {
        return requests.connection()
                .thenCompose(connection -> order.send(
                        connection, () -> requests.commands(connection).publish(channel, text)))
                .<AnnounceReply>thenApply(listeners -> new AnnounceReply.Announced())
                .exceptionally(names::noAnswer);
    }
}
