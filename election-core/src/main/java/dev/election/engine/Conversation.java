package dev.election.engine;

import dev.election.protocol.Now;
import dev.election.store.LeaseStore;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * Batches the requests of all elections of a process. When one of them renews its lease, those whose renewal is due soon renew too; when one
 * campaigns, those campaign too whose campaign is due. The store may send a batch as one request. All methods but {@link #join} are called
 * on the loop.
 *
 * <p>A batch holds renewals or campaigns, never both: at the end of a lease the time of the reply matters, not the number of requests.
 */
final class Conversation {

    private final LeaseStore store;
    private final Clock clock;
    private final Queue<ElectionRunner> runners = new ConcurrentLinkedQueue<>();

    /** The time of the batch that is being gathered, {@code null} while there is none. */
    private @Nullable Now moment;

    Conversation(LeaseStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    void join(ElectionRunner runner) {
        runners.add(runner);
    }

    /** The time; constant while a batch is gathered, so that its requests are due again at the same time. */
    Now now() {
        return moment == null ? clock.now() : moment;
    }

    /** Runs a task in which several elections may send requests. */
    void together(Runnable requests) {
        together(now(), requests);
    }

    /** Sends the requests of a leader or a follower, decided on at that time, in one batch with those of other leaders or followers. */
    void inBatch(Now decided, boolean isLeader, Runnable requests) {
        if (moment != null) {
            requests.run();
            return;
        }
        together(decided, () -> {
            requests.run();
            runners.forEach(runner -> runner.joinBatch(isLeader));
        });
    }

    private void together(Now at, Runnable requests) {
        moment = at;
        try {
            store.together(requests);
        } finally {
            moment = null;
        }
    }
}
