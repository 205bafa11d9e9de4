package dev.election.redis;

import dev.election.redis.internal.ChannelListener;
import dev.election.redis.internal.EventChannels;
import dev.election.redis.internal.Failures;
import dev.election.redis.internal.RedisRequests;
import dev.election.store.AnnounceReply;
import dev.election.store.EventText;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.NodeEvent;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The messages of nodes over the channels of Redis. */
final class RedisMessaging implements NodeMessaging {

    private final RedisRequests requests;
    private final ElectionKeys keys;
    private final EventChannels events;

    RedisMessaging(RedisRequests requests, ElectionKeys keys, EventChannels events) {
        this.requests = requests;
        this.keys = keys;
        this.events = events;
    }

    @Override
    public CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
        return publish(keys.events(election), EventText.write(message));
    }

    @Override
    public CompletionStage<AnnounceReply> announceAs(String node, NodeEvent.Present present) {
        return publish(keys.node(node), EventText.write(present));
    }

    @Override
    public Subscription listenAs(String node, Consumer<NodeEvent> listener) {
        requests.openOnce();
        return events.listen(
                keys.node(node),
                new ChannelListener<>(
                        EventText::readPresent,
                        NodeEvent.Connected::new,
                        since -> new NodeEvent.Connected(),
                        Optional.empty(),
                        listener));
    }

    private CompletionStage<AnnounceReply> publish(String channel, String text) {
        return requests.connection()
                .thenCompose(connection -> requests.commands(connection).publish(channel, text))
                .<AnnounceReply>thenApply(listeners -> new AnnounceReply.Announced())
                .exceptionally(Failures::noAnswer);
    }
}
