package dev.election.engine;

import dev.election.protocol.Now;
import dev.election.store.LeaseStore;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * What all elections of a process ask the store at a time. When one of them renews its lease, those that would renew theirs soon do so with it;
 * when one campaigns, those campaign with it whose time has come. The store may send all of that at once. Everything here happens on the loop,
 * but for {@link #join}.
 *
 * <p>Renewals never travel with a campaign: at the end of a lease it is the reply that counts, not the number of requests.
 */
final class Conversation {

    private final LeaseStore store;
    private final Clock clock;
    private final Queue<ElectionRunner> runners = new ConcurrentLinkedQueue<>();

    /** Of the requests that are being gathered, {@code null} while none are. */
    private @Nullable Now moment;

    Conversation(LeaseStore store, Clock clock) {
        this.store = store;
        this.clock = clock;
    }

    void join(ElectionRunner runner) {
        runners.add(runner);
    }

    /** The time. It stands still while requests are gathered: what is asked together is due again together. */
    Now now() {
        return moment == null ? clock.now() : moment;
    }

    /** Runs a task in which several elections may ask. */
    void together(Runnable requests) {
        together(now(), requests);
    }

    /** Makes the requests that a leader, or a follower, has decided on at that time, in company of its like. */
    void inCompany(Now decided, boolean isLeader, Runnable requests) {
        if (moment != null) {
            requests.run();
            return;
        }
        together(decided, () -> {
            requests.run();
            runners.forEach(runner -> runner.keepCompany(isLeader));
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
