package dev.election.record;

import dev.election.StoreView;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Incarnation;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreMoment;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** A server that keeps the record of one election and carries each request out at once, as Redis does; and what may befall it. */
public final class AtomicStore {

    /** What of an election comes back with old data. */
    public enum Part {
        LEASE,
        EPOCH,
        LOCK_DELAY
    }

    private final LongSupplier millis;
    private final Consumer<StoreEvent> publish;
    private final LeaseRules rules;

    private ElectionRecord record = ElectionRecord.EMPTY;

    /** The present process of the server with its data; 1 has been there for ever. */
    private long incarnation = 1;

    private long startedAt = Long.MIN_VALUE / 2;
    private boolean wasReplica;

    public AtomicStore(LongSupplier millis, Consumer<StoreEvent> publish, LeaseRules rules) {
        this.millis = millis;
        this.publish = publish;
        this.rules = rules;
    }

    public CampaignReply campaign(CampaignRequest request) {
        return carryOut(rules.campaign(record, request, moment()));
    }

    public RenewReply renew(RenewRequest request) {
        return carryOut(rules.renew(record, request, moment()));
    }

    public ReleaseReply release(ReleaseRequest request) {
        return carryOut(rules.release(record, request, moment()));
    }

    public EvictReply evict(EvictRequest request) {
        return carryOut(rules.evict(record, request, moment()));
    }

    public StoreView view() {
        return rules.view(record, millis.getAsLong());
    }

    public ElectionRecord save() {
        return record;
    }

    /** Brings back what is known now. */
    public Runnable saved() {
        ElectionRecord then = record;
        return () -> record = then;
    }

    public void forget() {
        record = ElectionRecord.EMPTY;
    }

    public void loseLease() {
        record = new ElectionRecord(null, record.epoch(), record.lockDelay(), record.queue(), record.history());
    }

    /** The server starts again, with these parts as they were then and all others as they are now. */
    public void restart(ElectionRecord saved, Set<Part> old) {
        restore(saved, old);
        incarnation++;
        startedAt = millis.getAsLong();
        wasReplica = false;
    }

    /** A replica takes over, with what has reached it. Who knows how long it has been there. */
    public void promote(ElectionRecord saved, boolean looksLikeReplica) {
        restore(saved, EnumSet.allOf(Part.class));
        incarnation++;
        startedAt = Long.MIN_VALUE / 2;
        wasReplica = looksLikeReplica;
    }

    /** The record was written by a server that is no more, and this one was started so long ago. */
    public void becomeAnother(Duration age) {
        incarnation++;
        startedAt = millis.getAsLong() - age.toMillis();
    }

    /** A roll call of this moment. */
    public StoreEvent.RollCall call() {
        StoreMoment moment = moment();
        return new StoreEvent.RollCall(moment.incarnation().id(), Instant.ofEpochMilli(moment.millis()));
    }

    /** The candidacy that the store takes for the leader, if there is one. */
    public @Nullable String holder() {
        ElectionRecord.Lease lease = record.lease();
        return lease == null || lease.ends() < millis.getAsLong() ? null : lease.candidacy();
    }

    private void restore(ElectionRecord saved, Set<Part> old) {
        record = new ElectionRecord(
                old.contains(Part.LEASE) ? saved.lease() : record.lease(),
                old.contains(Part.EPOCH) ? saved.epoch() : record.epoch(),
                old.contains(Part.LOCK_DELAY) ? saved.lockDelay() : record.lockDelay(),
                record.queue(),
                record.history());
    }

    private <R> R carryOut(Decision<R> decision) {
        record = decision.record();
        decision.events().forEach(publish);
        return decision.reply();
    }

    private StoreMoment moment() {
        long now = millis.getAsLong();
        Duration unchangedFor = Duration.ofMillis(wasReplica ? 0 : now - startedAt);
        return new StoreMoment(now, new Incarnation(Long.toString(incarnation), unchangedFor));
    }
}
