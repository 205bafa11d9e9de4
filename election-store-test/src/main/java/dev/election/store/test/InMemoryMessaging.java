package dev.election.store.test;

import dev.election.store.AnnounceReply;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.LeaveReply;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Messages between the members of one process or test. Each reaches its listeners on the thread that sends it. */
public final class InMemoryMessaging implements MemberMessaging {

    private final List<Ear> ears = new CopyOnWriteArrayList<>();

    /** Creates messaging without a listener. */
    public InMemoryMessaging() {}

    /** Returns these members with this capability. */
    public MemberStore with(MemberStore members) {
        return new MessagingMembers(members, this);
    }

    @Override
    public CompletionStage<AnnounceReply> send(String instance, String text) {
        return tell(text, ear -> ear.instance.equals(instance));
    }

    @Override
    public CompletionStage<AnnounceReply> sendToAll(String text) {
        return tell(text, ear -> true);
    }

    @Override
    public Subscription listen(String instance, Consumer<MemberMessage> listener) {
        Ear ear = new Ear(instance, listener);
        ears.add(ear);
        listener.accept(new MemberMessage.Connected());
        return () -> ears.remove(ear);
    }

    private CompletionStage<AnnounceReply> tell(String text, Predicate<Ear> who) {
        ears.stream().filter(who).forEach(ear -> ear.listener.accept(new MemberMessage.Received(text)));
        return CompletableFuture.completedFuture(new AnnounceReply.Announced());
    }

    private record Ear(String instance, Consumer<MemberMessage> listener) {}

    private record MessagingMembers(MemberStore members, MemberMessaging ownMessaging) implements MemberStore {

        @Override
        public CompletionStage<BeatReply> beat(BeatRequest request) {
            return members.beat(request);
        }

        @Override
        public CompletionStage<LeaveReply> leave(String instance) {
            return members.leave(instance);
        }

        @Override
        public Subscription listen(Consumer<MemberNews> listener) {
            return members.listen(listener);
        }

        @Override
        public int mostMembers() {
            return members.mostMembers();
        }

        @Override
        public Optional<MemberMessaging> messaging() {
            return Optional.of(ownMessaging);
        }
    }
}
