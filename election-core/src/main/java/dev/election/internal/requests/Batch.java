package dev.election.internal.requests;

import dev.election.internal.protocol.Now;
import dev.election.store.CampaignRequest;
import dev.election.store.LeaseStore;
import dev.election.store.RenewRequest;
import dev.election.store.StoreRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;

/** Requests of the elections of this process that are sent together. Used on the loop only. */
public final class Batch {

    private final Now now;
    private final List<Question<?>> questions = new ArrayList<>();
    private final List<Runnable> afterwards = new ArrayList<>();

    private boolean isPlanned;

    Batch(Now now) {
        this.now = now;
    }

    /** Returns the time that all of the requests count from. */
    public Now now() {
        return now;
    }

    /** Whether it began with a request that was due, and not with news or after a failure. */
    public boolean isPlanned() {
        return isPlanned;
    }

    public void becomePlanned() {
        isPlanned = true;
    }

    /** Adds a request and the consumer of its reply. */
    public <R> void add(StoreRequest<R> request, Consumer<R> taker) {
        questions.add(new Question<>(request, taker));
    }

    boolean isEmpty() {
        return questions.isEmpty();
    }

    /** Whether a renewal is among its requests. */
    public boolean renews() {
        return has(RenewRequest.class);
    }

    boolean campaigns() {
        return has(CampaignRequest.class);
    }

    private boolean has(Class<? extends StoreRequest<?>> kind) {
        return questions.stream().anyMatch(question -> kind.isInstance(question.request));
    }

    /** Adds the requests of another batch. */
    void addAll(Batch other) {
        questions.addAll(other.questions);
    }

    /** Runs a task after the requests have been sent, since it would delay them. */
    public void afterwards(Runnable task) {
        afterwards.add(task);
    }

    /** Runs the tasks of {@link #afterwards}. */
    void conclude() {
        List<Runnable> tasks = List.copyOf(afterwards);
        afterwards.clear();
        tasks.forEach(Runnable::run);
    }

    void sendTo(LeaseStore store) {
        try {
            if (!questions.isEmpty()) {
                List<CompletionStage<?>> replies = store.send(questions.stream()
                        .<StoreRequest<?>>map(Question::request)
                        .toList());
                for (int i = 0; i < questions.size(); i++) {
                    questions.get(i).await(replies.get(i));
                }
            }
        } finally {
            conclude();
        }
    }

    private record Question<R>(StoreRequest<R> request, Consumer<R> taker) {

        void await(CompletionStage<?> reply) {
            CompletionStage<Void> unused =
                    reply.thenApply(request.replyType()::cast).thenAccept(taker);
        }
    }
}
