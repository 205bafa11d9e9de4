package dev.election.record;

import dev.election.record.ElectionRecord.Closed;
import dev.election.record.ElectionRecord.Lease;
import dev.election.record.ElectionRecord.Visitor;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreMoment;
import java.time.Instant;

/**
 * Extends the lease for the candidacy and token that hold it, and for no other. Establishes it again, with the same token, if the store has
 * forgotten it while it was still valid, or has an older one that came back with old data.
 */
final class RenewalRules {

    private final LeaseRules rules;
    private final RenewRequest request;
    private final long token;
    private final long length;

    RenewalRules(LeaseRules rules, RenewRequest request) {
        this.rules = rules;
        this.request = request;
        this.token = request.token().value();
        this.length = request.lease().toMillis();
    }

    Decision<RenewReply> decide(ElectionRecord record, StoreMoment moment) {
        RecordDraft draft = new RecordDraft(rules, record, moment);
        draft.noteIncarnation(length);
        return draft.decide(decide(draft));
    }

    private RenewReply decide(RecordDraft draft) {
        Lease held = draft.lease();
        if (held != null && Ownership.holds(rules, held, request.candidate(), token)) {
            Visitor visitor = held.visitor();
            Lease extended = draft.extend(held, length);
            return renewed(extended, visitor != null && visitor.until() > draft.now() ? visitor.application() : "");
        }
        // The holder of an older token ceased to believe before the newer one was granted.
        boolean isOlder = held != null && rules.protects(Guard.NEWER, held.token() < token);
        if (held != null && !isOlder) {
            return new RenewReply.Lost(held.held(draft.now(), draft.queueLength()), draft.cooldown(token));
        }
        boolean isForgotten = Ownership.wasForgotten(rules, draft, token, request.expiry());
        if (rules.protects(Guard.AFTERMATH, isForgotten)) {
            // Requests from before the store forgot may still be under way: whoever comes next waits until they are
            // worthless.
            draft.lock(Closed.FORGOTTEN, length);
        }
        return isForgotten ? comeBack(draft) : new RenewReply.Lost(null, draft.cooldown(token));
    }

    private RenewReply comeBack(RecordDraft draft) {
        Lease lease = draft.give(request.candidate(), token, request.since().toEpochMilli(), length);
        draft.resume(lease);
        draft.publishAcquired(lease);
        return renewed(lease, "");
    }

    private static RenewReply renewed(Lease lease, String otherApplication) {
        return new RenewReply.Renewed(Instant.ofEpochMilli(lease.ends()), otherApplication);
    }
}
