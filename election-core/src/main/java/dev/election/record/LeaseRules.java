package dev.election.record;

import dev.election.StoreView;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreMoment;

/**
 * The rules by which leases are granted, as a pure function of a record, a request and the time. A store that can change a record only as a
 * whole runs them by {@link RecordLeaseStore}; Redis runs the same rules as scripts, and a test holds both to the same answers.
 */
public class LeaseRules {

    /** For how many leases a place in the queue lasts where an extension costs little. */
    static final int PLACE = 3;

    private final int remembered;
    private final int place;

    /**
     * Creates rules.
     *
     * @param remembered how many leaderships of each election are remembered, 0 for none
     */
    public LeaseRules(int remembered) {
        this(remembered, PLACE);
    }

    /**
     * Creates rules with places in the queue that last longer than usual, where each extension is a write that conflicts with those of others.
     *
     * @param remembered how many leaderships of each election are remembered, 0 for none
     * @param place for how many leases a candidate that does not ask any more keeps its place in the queue, at least three
     */
    public LeaseRules(int remembered, int place) {
        this.remembered = remembered;
        this.place = Math.max(PLACE, place);
    }

    /** Grants the lease if it is free, and says who has it otherwise. */
    public final Decision<CampaignReply> campaign(ElectionRecord record, CampaignRequest request, StoreMoment now) {
        return new CampaignRules(this, request).decide(record, now);
    }

    /** Extends the lease for the candidacy that holds it, or establishes it again where the store has forgotten it. */
    public final Decision<RenewReply> renew(ElectionRecord record, RenewRequest request, StoreMoment now) {
        return new RenewalRules(this, request).decide(record, now);
    }

    /** Ends a candidacy. */
    public final Decision<ReleaseReply> release(ElectionRecord record, ReleaseRequest request, StoreMoment now) {
        return new ReleaseRules(this, request).decide(record, now);
    }

    /** Takes the lease away from whoever holds it under that token. */
    public final Decision<EvictReply> evict(ElectionRecord record, EvictRequest request, StoreMoment now) {
        return new EvictionRules(this, request).decide(record, now);
    }

    /** Returns the state of the election. */
    public final StoreView view(ElectionRecord record, long millis) {
        return RecordView.of(record, millis);
    }

    /**
     * Whether a guard takes effect, which it does where its condition holds. Tests leave guards out to see what goes wrong then.
     *
     * @param guard the guard
     * @param condition whether there is something to guard against
     */
    protected boolean protects(Guard guard, boolean condition) {
        return condition;
    }

    /** Whether a condition holds without which a guard refuses. */
    final boolean requires(Guard guard, boolean condition) {
        return !protects(guard, !condition);
    }

    final int remembered() {
        return remembered;
    }

    final int place() {
        return place;
    }
}
