package dev.election.record;

import dev.election.LossReason;
import dev.election.record.ElectionRecord.Lease;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.StoreMoment;

/** Takes the lease away from whoever holds it under a token, and marks that token as closed so that no renewal brings it back. */
final class EvictionRules {

    private final LeaseRules rules;
    private final EvictRequest request;

    EvictionRules(LeaseRules rules, EvictRequest request) {
        this.rules = rules;
        this.request = request;
    }

    Decision<EvictReply> decide(ElectionRecord record, StoreMoment moment) {
        RecordDraft draft = new RecordDraft(rules, record, moment);
        Lease held = draft.lease();
        long token = request.token().value();
        boolean isHeld = held != null && Ownership.holds(rules, held, token);
        if (rules.protects(Guard.CLOSED, isHeld)) {
            draft.close(token);
        }
        if (!isHeld) {
            return draft.decide(new EvictReply.NotHeld());
        }
        draft.free();
        draft.noteEviction(token, request.cooldown());
        draft.reserve(request.successor(), request.reserve());
        draft.conclude(token, LossReason.EVICTED, request.how().requestedBy());
        draft.publishReleased(token, request.successor(), request.reserve());
        return draft.decide(new EvictReply.Evicted());
    }
}
