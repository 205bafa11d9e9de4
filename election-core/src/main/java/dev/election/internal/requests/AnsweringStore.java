package dev.election.internal.requests;

import dev.election.StoreProblem;
import dev.election.store.AnnounceReply;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.Eviction;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.LeaveReply;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.StoreRequest;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Decorates a store so that each request has an answer: an exception or a missing reply becomes a {@link NoAnswer}. */
public final class AnsweringStore extends ForwardingLeaseStore {

    private final Optional<Eviction> eviction;
    private final Optional<NodeMessaging> messaging;
    private final Optional<MemberStore> members;

    AnsweringStore(LeaseStore store) {
        super(store);
        this.eviction = store.eviction()
                .map(present -> request -> answered(() -> present.evict(request), noAnswer -> noAnswer));
        this.messaging = store.messaging()
                .map(present -> (election, message) ->
                        answered(() -> present.announce(election, message), noAnswer -> noAnswer));
        this.members = store.memberStore().map(AnsweringMembers::new);
    }

    @Override
    public CompletionStage<?> prepare() {
        try {
            return super.prepare();
        } catch (Throwable failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    @Override
    public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
        List<? extends CompletionStage<?>> replies = sent(requests);
        return IntStream.range(0, requests.size())
                .<CompletionStage<?>>mapToObj(i -> answered(requests.get(i), replies.get(i)))
                .toList();
    }

    private List<? extends CompletionStage<?>> sent(List<? extends StoreRequest<?>> requests) {
        Throwable failure;
        try {
            List<? extends CompletionStage<?>> replies = super.send(requests);
            if (replies.size() == requests.size()) {
                return replies;
            }
            failure = new IllegalStateException(requests.size() + " requests have " + replies.size() + " replies");
        } catch (Throwable thrown) {
            failure = thrown;
        }
        return Collections.nCopies(requests.size(), CompletableFuture.failedFuture(failure));
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return answered(() -> super.read(election), noAnswer -> noAnswer);
    }

    @Override
    public Optional<Eviction> eviction() {
        return eviction;
    }

    @Override
    public Optional<NodeMessaging> messaging() {
        return messaging;
    }

    @Override
    public Optional<MemberStore> memberStore() {
        return members;
    }

    private record AnsweringMembers(MemberStore members, Optional<MemberMessaging> messaging) implements MemberStore {

        private AnsweringMembers(MemberStore members) {
            this(members, members.messaging().map(AnsweringMemberMessaging::new));
        }

        @Override
        public CompletionStage<BeatReply> beat(BeatRequest request) {
            return answered(() -> members.beat(request), noAnswer -> noAnswer);
        }

        @Override
        public CompletionStage<LeaveReply> leave(String instance) {
            return answered(() -> members.leave(instance), noAnswer -> noAnswer);
        }

        @Override
        public Subscription listen(Consumer<MemberNews> listener) {
            return members.listen(listener);
        }

        @Override
        public int mostMembers() {
            return members.mostMembers();
        }
    }

    private record AnsweringMemberMessaging(MemberMessaging messaging) implements MemberMessaging {

        @Override
        public CompletionStage<AnnounceReply> send(String instance, String text) {
            return answered(() -> messaging.send(instance, text), noAnswer -> noAnswer);
        }

        @Override
        public CompletionStage<AnnounceReply> sendToAll(String text) {
            return answered(() -> messaging.sendToAll(text), noAnswer -> noAnswer);
        }

        @Override
        public Subscription listen(String instance, Consumer<MemberMessage> listener) {
            return messaging.listen(instance, listener);
        }
    }

    private static <R> CompletionStage<R> answered(StoreRequest<R> request, CompletionStage<?> reply) {
        Class<R> type = request.replyType();
        return reply.handle((given, failure) -> type.cast(type.isInstance(given) ? given : noAnswer(failure)));
    }

    private static <T> CompletionStage<T> answered(
            Supplier<CompletionStage<T>> request, Function<NoAnswer, T> asReply) {
        try {
            return request.get().handle((reply, failure) -> reply != null ? reply : asReply.apply(noAnswer(failure)));
        } catch (Throwable failure) {
            return CompletableFuture.completedFuture(asReply.apply(noAnswer(failure)));
        }
    }

    private static NoAnswer noAnswer(@Nullable Throwable failure) {
        return new NoAnswer(StoreProblem.UNKNOWN, failure == null ? "the store gave no reply" : failure.toString());
    }
}
