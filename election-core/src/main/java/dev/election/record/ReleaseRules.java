package dev.election.record;

import dev.election.record.ElectionRecord.Closed;
import dev.election.record.ElectionRecord.Lease;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.ReleaseRequest.Grant;
import dev.election.store.StoreMoment;
import org.jspecify.annotations.Nullable;

/**
 * Ends a candidacy: frees the lease if it holds it, marks its token as closed so that no late renewal brings it back, and leaves the queue of
 * candidates.
 */
final class ReleaseRules {

    private final LeaseRules rules;
    private final ReleaseRequest request;
    private final @Nullable Grant grant;

    ReleaseRules(LeaseRules rules, ReleaseRequest request) {
        this.rules = rules;
        this.request = request;
        this.grant = request.grant();
    }

    Decision<ReleaseReply> decide(ElectionRecord record, StoreMoment moment) {
        RecordDraft draft = new RecordDraft(rules, record, moment);
        draft.leaveQueue(request.candidate().candidacy());
        Lease held = draft.lease();
        if (held != null && holds(held)) {
            long freed = grant == null ? held.token() : grant.token().value();
            draft.reserve(request.successor(), request.reserve());
            return free(draft, freed);
        }
        if (held != null || grant == null) {
            return draft.decide(new ReleaseReply.NotHeld());
        }
        long token = grant.token().value();
        boolean isForgotten = Ownership.wasForgotten(rules, draft, token, grant.expiry());
        if (rules.protects(Guard.AFTERMATH, isForgotten)) {
            // Other requests from before the store forgot may still be under way, as after a renewal that brought a
            // lease back.
            draft.lock(Closed.FORGOTTEN, request.lease().toMillis());
        }
        return isForgotten ? free(draft, token) : draft.decide(new ReleaseReply.NotHeld());
    }

    private boolean holds(Lease held) {
        return grant == null
                ? Ownership.holds(rules, held, request.candidate())
                : Ownership.holds(
                        rules, held, request.candidate(), grant.token().value());
    }

    private Decision<ReleaseReply> free(RecordDraft draft, long token) {
        draft.free();
        draft.close(token);
        draft.conclude(token, request.reason(), request.how().requestedBy());
        draft.publishReleased(token, request.successor(), request.reserve());
        return draft.decide(new ReleaseReply.Released());
    }
}
