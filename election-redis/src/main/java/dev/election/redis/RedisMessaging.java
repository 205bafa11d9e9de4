package dev.election.redis;

import dev.election.store.AnnounceReply;
import dev.election.store.EventText;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import java.util.concurrent.CompletionStage;

/** The messages of nodes over the channels of Redis. */
record RedisMessaging(Publisher publisher, ElectionKeys keys) implements NodeMessaging {

    @Override
    public CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
        return publisher.publish(keys.events(election), EventText.write(message));
    }
}
