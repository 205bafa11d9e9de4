package dev.election.store.test;

import static dev.election.LossReason.ABDICATED;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.NodeInfo;
import dev.election.StoreView;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignReply.Granted;
import dev.election.store.CampaignReply.Wait;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Held;
import dev.election.store.LeaseStore;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.ReleaseRequest.Grant;
import dev.election.store.RenewReply;
import dev.election.store.RenewReply.Lost;
import dev.election.store.RenewRequest;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A store under test, one election in it, and the requests of the tests. A store's own test says how to make the store, make it forget and let its
 * time pass; {@link LeaseStoreContract} says the rest.
 */
public interface LeaseStoreFixture {

    /** The lease of tests that wait for its end, and do nothing that must come before. */
    Duration LEASE = Duration.ofMillis(300);

    /** The number of leaderships that the store under test must remember, if it keeps a history. */
    int HISTORY = 5;

    /** The lease of tests that act within it and then wait for its end: longer than a busy machine stands still. */
    Duration ROOMY_LEASE = Duration.ofMillis(2500);

    /** The lease of tests in which it does not end. */
    Duration LONG_LEASE = Duration.ofSeconds(60);

    Duration SETTLE = Duration.ofMillis(30);

    Duration COOLDOWN = Duration.ofSeconds(7);

    LeaseStore store();

    /** Deletes all that the store has of this election. */
    void forget();

    /** Copies all that the store has of this election. The returned task puts the copy back, in place of everything that is there then. */
    Runnable save();

    /** Deletes the lease alone, as somebody does by hand, or an eviction. */
    void loseLease();

    /** Returns when that much time has passed on the store's clock. */
    void pass(Duration time);

    /** Changes what the store has of this election, so that it looks as if an earlier incarnation of the server had written it. */
    void changeIncarnation();

    /** Returns a lease that is longer than the server is known to be there, once that is for {@link #LEASE}. */
    Duration leaseOlderThanTheServer();

    /** Turns the store's clock back by that much, so that all that is to expire lasts for longer. */
    void turnClockBack(Duration time);

    /** The name of the election, another one in each test. */
    String election();

    /** One of three candidates of the election, the same throughout a test. */
    Candidate a();

    Candidate b();

    Candidate c();

    /** Another candidate of the election, without an application. */
    default Candidate candidate(String node) {
        return candidate(node, "");
    }

    default Candidate candidate(String node, String application) {
        return new Candidate(
                election(), node + "-" + UUID.randomUUID(), new NodeInfo(node, "address of " + node, application));
    }

    default Granted lead(Candidate candidate) {
        return lead(candidate, LEASE);
    }

    /**
     * Makes a candidate the first leader of the election, after the settle time. That time is longer on a server that has not been up for the
     * requested lease, so the first request is for a short one.
     */
    default Granted lead(Candidate candidate, Duration lease) {
        Wait settling = (Wait) campaign(candidate);
        pass(settling.remaining().plusMillis(2));
        return (Granted) campaign(candidate, lease, 0);
    }

    default CampaignReply campaign(Candidate candidate) {
        return campaign(candidate, LEASE, 0);
    }

    default CampaignReply campaign(Candidate candidate, Duration lease, long seen) {
        return ask(store().campaign(new CampaignRequest(candidate, lease, seen, SETTLE)));
    }

    default RenewReply renew(Candidate candidate, Granted grant) {
        return renew(candidate, grant, LEASE);
    }

    default RenewReply renew(Candidate candidate, Granted grant, Duration lease) {
        return ask(store().renew(new RenewRequest(candidate, grant.token(), grant.since(), grant.expiry(), lease)));
    }

    default ReleaseReply release(Candidate candidate, Granted grant) {
        return release(candidate, grant, LEASE);
    }

    default ReleaseReply release(Candidate candidate, Granted grant, Duration lease) {
        Grant held = new Grant(grant.token(), grant.expiry());
        return ask(store().release(new ReleaseRequest(candidate, held, lease, ABDICATED)));
    }

    /** Ends a candidacy that knows of no grant. */
    default ReleaseReply end(Candidate candidate) {
        return ask(store().release(new ReleaseRequest(candidate, null, LEASE, ABDICATED)));
    }

    default StoreView view() {
        return ((ReadReply.Read) ask(store().read(election()))).view();
    }

    /** Creates an abdication to that node, or to anyone if there is none. */
    default Abdication to(@Nullable String successor, Duration reserve) {
        return new Abdication(null, COOLDOWN, successor, reserve);
    }

    /** Waits for the reply of the store. */
    default <T> T ask(CompletionStage<T> reply) {
        try {
            return reply.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("The store gave no reply", e);
        }
    }

    /** Waits for the next event. */
    default <E> E next(LinkedBlockingQueue<E> heard) throws InterruptedException {
        E event = heard.poll(20, TimeUnit.SECONDS);
        assertThat(event).as("an event").isNotNull();
        return event;
    }

    /** Returns the holder that took the place of the lost one. */
    default Held holder(Lost lost) {
        return Objects.requireNonNull(lost.holder(), "nobody holds the lease");
    }
}
