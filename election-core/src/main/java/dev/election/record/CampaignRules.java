package dev.election.record;

import dev.election.FencingToken;
import dev.election.record.ElectionRecord.Closed;
import dev.election.record.ElectionRecord.Lease;
import dev.election.record.ElectionRecord.LockDelay;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.Incarnation;
import dev.election.store.StoreMoment;
import java.time.Duration;
import java.time.Instant;

/** Grants the lease if it is free, and says who has it otherwise. */
final class CampaignRules {

    /** The longest wait for a connection to become old enough: an idle one may be closed before that. */
    private static final long LONGEST_WAIT_UNPROVEN = 15_000;

    private final LeaseRules rules;
    private final CampaignRequest request;
    private final Candidate candidate;
    private final long length;

    CampaignRules(LeaseRules rules, CampaignRequest request) {
        this.rules = rules;
        this.request = request;
        this.candidate = request.candidate();
        this.length = request.lease().toMillis();
    }

    Decision<CampaignReply> decide(ElectionRecord record, StoreMoment moment) {
        RecordDraft draft = new RecordDraft(rules, record, moment);
        draft.noteIncarnation(length);
        return draft.decide(decide(draft, moment.incarnation()));
    }

    private CampaignReply decide(RecordDraft draft, Incarnation incarnation) {
        Lease held = draft.lease();
        if (held != null && !rules.requires(Guard.CANDIDACY, held.isOf(candidate))) {
            return refuse(draft, held);
        }
        long locked = locked(draft);
        long unproven = unproven(incarnation);
        if (held != null) {
            return repeat(draft, held, locked, unproven);
        }
        if (rules.protects(Guard.QUARANTINE, draft.token() < request.seen())) {
            return quarantine(draft);
        }
        if (locked > 0) {
            return wait(draft, locked);
        }
        if (unproven > 0) {
            // Without a roll call: those who have seen a token would answer with a campaign, and that with another roll
            // call.
            return wait(draft, Math.min(unproven, Math.min(length / 3, LONGEST_WAIT_UNPROVEN)));
        }
        boolean isOpen = draft.epoch() != null && draft.closed() < draft.token();
        if (rules.protects(Guard.DELETED, isOpen && draft.ends() > draft.now())) {
            // The lease is gone before its time and was not released: deleted by hand or evicted. Its holder may still
            // lead.
            return rollCall(draft, draft.lock(Closed.FORGOTTEN, draft.ends() - draft.now()));
        }
        if (draft.epoch() == null && request.seen() == 0) {
            return settle(draft);
        }
        return grant(draft);
    }

    private CampaignReply refuse(RecordDraft draft, Lease held) {
        String mine = candidate.node().application();
        String holders = held.node().application();
        if (!mine.isEmpty() && !holders.isEmpty() && !mine.equals(holders)) {
            // The holder learns of it by its renewals.
            draft.visit(held, mine, draft.now() + length * 3 / 2);
        }
        return held.held(draft.now(), rank(draft));
    }

    /** Returns for how long the lock delay keeps this candidate out; 0 if it does not. */
    private long locked(RecordDraft draft) {
        LockDelay delay = draft.lockDelay();
        return delay != null && delay.binds(candidate.node()) ? delay.ends() - draft.now() : 0;
    }

    /**
     * Returns for how long the store is unproven: without an incarnation, only a connection proves that it is the one that answered a lease ago.
     */
    private long unproven(Incarnation incarnation) {
        long left = length - Math.min(length, incarnation.unchangedFor().toMillis());
        return rules.protects(Guard.CONNECTION, incarnation.id() == null && left > 0) ? left : 0;
    }

    /** Grants the lease again to the candidacy that holds it: the reply to an earlier request was lost. */
    private CampaignReply repeat(RecordDraft draft, Lease held, long locked, long unproven) {
        // Granted in a past that came back with old data, perhaps: then others may have been granted newer tokens
        // since.
        long blocked = rules.protects(Guard.RESTORED, locked > unproven) ? locked : unproven;
        if (blocked > 0) {
            return wait(draft, blocked);
        }
        if (rules.protects(Guard.OVERDUE, draft.now() - held.since() >= length)) {
            // No grant of a whole lease has reached this candidacy in time: it does not keep the others out for longer.
            return wait(draft, held.ends() - draft.now());
        }
        return granted(draft, draft.extend(held, length));
    }

    /**
     * Begins a lock delay, since the store has forgotten what this candidate has seen. Nobody is granted the lease for its full length, in
     * which a living leader renews; also during a shorter lock delay, which a candidate that has seen less began.
     */
    private CampaignReply quarantine(RecordDraft draft) {
        draft.raiseToken(request.seen());
        return rollCall(draft, draft.lock(Closed.FORGOTTEN, length));
    }

    /** Begins the settle time: this is the first start ever, or the store has forgotten everything and the candidate has seen nothing. */
    private CampaignReply settle(RecordDraft draft) {
        Duration settle = request.settle();
        if (settle == null) {
            return wait(draft, length);
        }
        draft.raiseToken(0);
        return rollCall(draft, draft.lock(Closed.SETTLING, settle.toMillis()));
    }

    private CampaignReply grant(RecordDraft draft) {
        long token = Math.max(Math.max(draft.token() + 1, request.seen() + 1), draft.now());
        long endOfLast = draft.ends() > 0 ? draft.ends() : draft.now();
        Lease lease = draft.give(candidate, token, draft.now(), length);
        draft.unlock();
        draft.begin(lease, endOfLast);
        draft.leaveQueue(candidate.candidacy());
        draft.publishAcquired(lease);
        return granted(draft, lease);
    }

    private CampaignReply wait(RecordDraft draft, long remaining) {
        return new CampaignReply.Wait(Duration.ofMillis(remaining), rank(draft));
    }

    private CampaignReply rollCall(RecordDraft draft, long remaining) {
        draft.rollCall();
        return wait(draft, remaining);
    }

    private int rank(RecordDraft draft) {
        return draft.queue(candidate.candidacy(), length);
    }

    private static CampaignReply granted(RecordDraft draft, Lease lease) {
        return new CampaignReply.Granted(
                new FencingToken(lease.token()),
                Instant.ofEpochMilli(lease.since()),
                Instant.ofEpochMilli(lease.ends()),
                draft.incarnation());
    }
}
