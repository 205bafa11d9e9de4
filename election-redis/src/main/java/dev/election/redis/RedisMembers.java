package dev.election.redis;

import dev.election.members.LeaveReason;
import dev.election.redis.internal.events.ChannelListener;
import dev.election.redis.internal.events.EventChannels;
import dev.election.redis.internal.events.Refusal;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.LeaveReply;
import dev.election.store.MemberEntry;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.NoAnswer;
import dev.election.store.RosterVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** The members in Redis. A beat travels in the batch of the elections; in a Cluster it has a slot, and so a script, of its own. */
final class RedisMembers implements MemberStore {

    private static final int MOST = 1000;

    private static final String WITHOUT_MESSAGES =
            "Without the channels of messages between members this process handles none, and gets no replies";

    private final RedisRequests requests;
    private final ProtocolRequests protocol;
    private final ElectionKeys keys;
    private final EventChannels events;
    private final RedisSettings.Names names;
    private final RedisMemberMessaging messaging;

    RedisMembers(
            RedisRequests requests,
            ProtocolRequests protocol,
            ElectionKeys keys,
            EventChannels events,
            RedisSettings.Names names) {
        this.requests = requests;
        this.protocol = protocol;
        this.keys = keys;
        this.events = events;
        this.names = names;
        Refusal refusal = new Refusal(WITHOUT_MESSAGES, names.keyPrefix());
        this.messaging = new RedisMemberMessaging(requests, keys, requests.furtherChannels(refusal), names);
    }

    @Override
    public CompletionStage<BeatReply> beat(BeatRequest request) {
        ProtocolRequests.RequestBatch batch = protocol.batch();
        CompletionStage<BeatReply> reply = beat(request, batch);
        batch.send();
        return reply;
    }

    CompletionStage<BeatReply> beat(BeatRequest request, ProtocolRequests.RequestBatch batch) {
        return batch.beat(
                        request.instance(),
                        request.text(),
                        Long.toString(request.expiresAfter().toMillis()),
                        request.known().roster(),
                        Long.toString(request.known().number()),
                        Long.toString(request.known().begun()),
                        keys.memberEvents())
                .<BeatReply>thenApply(RedisMembers::beaten)
                .exceptionally(this::noAnswer);
    }

    @Override
    public CompletionStage<LeaveReply> leave(String instance) {
        return protocol.leave(instance, keys.memberEvents())
                .<LeaveReply>thenApply(reply -> new LeaveReply.Left())
                .exceptionally(this::noAnswer);
    }

    @Override
    public Subscription listen(Consumer<MemberNews> listener) {
        requests.openOnce();
        return events.listen(
                keys.memberEvents(),
                new ChannelListener<>(
                        MemberNewsText::read,
                        MemberNews.Connected::new,
                        since -> new MemberNews.Connected(),
                        Optional.empty(),
                        listener));
    }

    @Override
    public int mostMembers() {
        return MOST;
    }

    @Override
    public Optional<MemberMessaging> messaging() {
        return Optional.of(messaging);
    }

    void close() {
        messaging.close();
    }

    static BeatReply beaten(List<String> reply) {
        List<MemberEntry> changes = new ArrayList<>();
        for (int i = 6; i + 3 < reply.size(); i += 4) {
            changes.add(entry(reply.get(i), Long.parseLong(reply.get(i + 1)), reply.get(i + 2), reply.get(i + 3)));
        }
        return new BeatReply.Beaten(
                new RosterVersion(reply.get(1), Long.parseLong(reply.get(2)), Long.parseLong(reply.get(3))),
                !reply.get(4).isEmpty(),
                !reply.get(5).isEmpty(),
                changes);
    }

    private static MemberEntry entry(String instance, long number, String joined, String text) {
        return joined.isEmpty()
                ? new MemberEntry.Gone(
                        instance, number, text.equals("STOPPED") ? LeaveReason.STOPPED : LeaveReason.EXPIRED)
                : new MemberEntry.Present(instance, number, Long.parseLong(joined), text);
    }

    private NoAnswer noAnswer(Throwable failure) {
        return names.noAnswer(failure, keys.roster() + ", :texts, :ends, :versions and :gone");
    }
}
