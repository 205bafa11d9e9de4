package dev.election.redis;

import dev.election.redis.internal.events.ChannelListener;
import dev.election.redis.internal.events.EventChannels;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.store.AnnounceReply;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/**
 * The messages of members over channels of Redis: one for each instance, and one for all. They arrive on a connection of their own, so that
 * a flood of them delays no event of an election.
 */
final class RedisMemberMessaging implements MemberMessaging {

    private final RedisRequests requests;
    private final ElectionKeys keys;
    private final EventChannels channels;
    private final Publisher publisher;

    /**
     * @param channels on a connection that is used for nothing else
     */
    RedisMemberMessaging(RedisRequests requests, ElectionKeys keys, EventChannels channels, RedisSettings.Names names) {
        this.requests = requests;
        this.keys = keys;
        this.channels = channels;
        this.publisher = new Publisher(requests, names);
    }

    @Override
    public CompletionStage<AnnounceReply> send(String instance, String text) {
        return publisher.publish(keys.toMember(instance), text);
    }

    @Override
    public CompletionStage<AnnounceReply> sendToAll(String text) {
        return publisher.publish(keys.toAllMembers(), text);
    }

    @Override
    public Subscription listen(String instance, Consumer<MemberMessage> listener) {
        requests.openOnce();
        BothChannels both = new BothChannels(listener);
        Subscription toAll = listen(keys.toAllMembers(), both);
        Subscription toInstance = listen(keys.toMember(instance), both);
        channels.open();
        return () -> {
            toAll.close();
            toInstance.close();
        };
    }

    void close() {
        channels.close();
    }

    private Subscription listen(String channel, BothChannels both) {
        return channels.listen(
                channel,
                new ChannelListener<MemberMessage>(
                        text -> Optional.of(new MemberMessage.Received(text)),
                        MemberMessage.Connected::new,
                        since -> new MemberMessage.Connected(),
                        Optional.empty(),
                        heard -> both.hear(channel, heard)));
    }

    /** Reports the connection once both channels have been confirmed. */
    private static final class BothChannels {

        private final Consumer<MemberMessage> listener;

        /** Guarded by this. */
        private final Set<String> confirmed = new HashSet<>();

        private BothChannels(Consumer<MemberMessage> listener) {
            this.listener = listener;
        }

        private void hear(String channel, MemberMessage heard) {
            if (heard instanceof MemberMessage.Received || areConfirmedWith(channel)) {
                listener.accept(heard);
            }
        }

        private synchronized boolean areConfirmedWith(String channel) {
            confirmed.add(channel);
            return confirmed.size() == 2;
        }
    }
}
