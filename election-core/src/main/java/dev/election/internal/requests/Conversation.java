package dev.election.internal.requests;

import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.protocol.Now;
import dev.election.store.LeaseStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Batches the requests of all elections of a process. When one election renews its lease, others renew too if their renewal is due soon; when one
 * campaigns, others campaign too if their campaign is due. The store may send a batch as one request. All methods but {@link #join} are called
 * on the loop.
 *
 * <p>No leader renews because another election campaigns: at the end of a lease the time of the reply matters, not the number of requests. So a campaign
 * joins a renewal only while the lease that it asks for has not ended.
 */
public final class Conversation {

    private static final Logger log = LoggerFactory.getLogger(Conversation.class);

    private final LeaseStore store;
    private final Clock clock;
    private final Loop loop;
    private final Queue<Participant> participants = new ConcurrentLinkedQueue<>();

    private Consumer<Batch> contributor = batch -> {};

    /** Batches of {@link #askSoon}, which are sent as one. */
    private final List<Batch> waiting = new ArrayList<>();

    Conversation(LeaseStore store, Clock clock, Loop loop) {
        this.store = store;
        this.clock = clock;
        this.loop = loop;
    }

    public void join(Participant participant) {
        participants.add(participant);
    }

    /** Sets a consumer that may add a request to each batch. Called before the first batch. */
    public void onBatch(Consumer<Batch> consumer) {
        contributor = consumer;
    }

    /** Whether the store has answered an election of this process since that time, or no election has sent a request yet. */
    public boolean isAnsweredSince(long time) {
        return participants.stream().noneMatch(Participant::hasAsked)
                || participants.stream().anyMatch(participant -> participant.isAnsweredSince(time));
    }

    /** Sends the requests that one or several elections add to a batch, together with those of the other elections that may join. */
    public void ask(Consumer<Batch> asking) {
        try {
            // An earlier request of an election must not be overtaken.
            sendWaiting();
        } finally {
            Batch batch = newBatch();
            try {
                asking.accept(batch);
            } finally {
                send(batch);
            }
        }
    }

    /**
     * Decides at once, but sends later, on another thread. For an event that the store passes to all elections one after the other: their
     * requests because of it are sent together.
     */
    public void askSoon(Consumer<Batch> asking) {
        Batch batch = newBatch();
        asking.accept(batch);
        waiting.add(batch);
        batch.conclude();
        try {
            loop.aside(() -> loop.executeHere(this::sendWaiting));
        } catch (RejectedExecutionException closed) {
            log.trace("The engine is closed", closed);
        }
    }

    /** Lets leaders, or followers, join a batch if their own request is due soon. */
    public void invite(Batch batch, boolean leaders) {
        participants.forEach(participant -> participant.join(batch, leaders));
    }

    private void sendWaiting() {
        if (!waiting.isEmpty()) {
            Batch batch = newBatch();
            waiting.forEach(batch::addAll);
            waiting.clear();
            send(batch);
        }
    }

    private Batch newBatch() {
        return new Batch(new Now(clock.nanos(), clock.wall()));
    }

    private void send(Batch batch) {
        try {
            boolean renews = batch.renews();
            boolean campaigns = batch.campaigns();
            if (renews) {
                invite(batch, true);
            }
            if (campaigns || (renews && batch.isPlanned())) {
                invite(batch, false);
            }
            if (!batch.isEmpty()) {
                contributor.accept(batch);
            }
        } finally {
            batch.sendTo(store);
        }
    }

    /** An election whose requests go with those of the others. Called on the loop. */
    public interface Participant {

        /** Joins a batch in which others renew, or campaign, if this election does the same soon. */
        public void join(Batch batch, boolean leaders);

        /** Whether this election has sent a request. */
        boolean hasAsked();

        /** Whether the store has answered this election since that time. */
        public boolean isAnsweredSince(long time);
    }
}
