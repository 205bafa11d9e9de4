package dev.election.internal.engine;

import dev.election.store.CampaignRequest;
import dev.election.store.LeaseStore;
import dev.election.store.RenewRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches the requests of all elections of a process. When one of them renews its lease, those whose renewal is due soon renew too; when one
 * campaigns, those campaign too whose campaign is due. The store may send a batch as one request. All methods but {@link #join} are called
 * on the loop.
 *
 * <p>No leader renews because another election campaigns, nor the other way round: at the end of a lease the time of the reply matters, not the
 * number of requests.
 */
final class Conversation {

    private static final Logger log = LoggerFactory.getLogger(Conversation.class);

    private final LeaseStore store;
    private final Clock clock;
    private final Loop loop;
    private final Queue<ElectionRunner> runners = new ConcurrentLinkedQueue<>();

    private Consumer<Batch> contributor = batch -> {};

    /** Batches that wait to be sent as one. */
    private final List<Batch> waiting = new ArrayList<>();

    Conversation(LeaseStore store, Clock clock, Loop loop) {
        this.store = store;
        this.clock = clock;
        this.loop = loop;
    }

    void join(ElectionRunner runner) {
        runners.add(runner);
    }

    /** Lets something else of this process join each batch. Before the first one. */
    void onBatch(Consumer<Batch> other) {
        contributor = other;
    }

    /** Whether the store has answered an election of this process since then, or none of them has asked yet. */
    boolean isAnsweredSince(long time) {
        return runners.stream().noneMatch(ElectionRunner::hasAsked)
                || runners.stream().anyMatch(runner -> runner.isAnsweredSince(time));
    }

    /** Sends what one or several elections ask, in one batch with the other elections that may join. */
    void ask(Consumer<Batch> asking) {
        try {
            // What an election has asked before must not be overtaken.
            sendWaiting();
        } finally {
            Batch batch = new Batch(clock.now());
            try {
                asking.accept(batch);
            } finally {
                send(batch);
            }
        }
    }

    /**
     * Decides at once, and sends when a thread has woken for it. For news that a store tells all elections, one after the other: what they ask
     * because of it is sent together.
     */
    void askSoon(Consumer<Batch> asking) {
        Batch batch = new Batch(clock.now());
        asking.accept(batch);
        waiting.add(batch);
        batch.conclude();
        try {
            loop.aside(() -> loop.executeHere(this::sendWaiting));
        } catch (RejectedExecutionException closed) {
            log.trace("The engine is closed", closed);
        }
    }

    /** Lets leaders, or followers, join a batch if they would soon ask by themselves. */
    void invite(Batch batch, boolean leaders) {
        runners.forEach(runner -> runner.join(batch, leaders));
    }

    private void sendWaiting() {
        if (!waiting.isEmpty()) {
            Batch batch = new Batch(clock.now());
            waiting.forEach(batch::addAll);
            waiting.clear();
            send(batch);
        }
    }

    private void send(Batch batch) {
        try {
            boolean renews = batch.has(RenewRequest.class);
            boolean campaigns = batch.has(CampaignRequest.class);
            if (renews) {
                invite(batch, true);
            }
            if (campaigns) {
                invite(batch, false);
            }
            if (!batch.isEmpty()) {
                contributor.accept(batch);
            }
        } finally {
            batch.sendTo(store);
        }
    }
}
