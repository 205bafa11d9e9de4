package dev.election.record;

import dev.election.record.ElectionRecord.Lease;
import dev.election.store.Candidate;
import java.time.Instant;

/** The checks of whether a candidacy may extend, end or restore a lease. */
final class Ownership {

    private Ownership() {}

    static boolean holds(LeaseRules rules, Lease held, Candidate candidate, long token) {
        return holds(rules, held, candidate) && holds(rules, held, token);
    }

    static boolean holds(LeaseRules rules, Lease held, Candidate candidate) {
        return rules.requires(Guard.OWNER, held.isOf(candidate));
    }

    static boolean holds(LeaseRules rules, Lease held, long token) {
        return rules.requires(Guard.TOKEN, held.token() == token);
    }

    /**
     * Whether a lease that the store does not have was still valid by the last reply to its holder. Then nobody can have been
     * granted one since.
     */
    static boolean wasForgotten(LeaseRules rules, RecordDraft draft, long token, Instant expiry) {
        return rules.requires(Guard.EXPIRY, expiry.toEpochMilli() > draft.now())
                && rules.requires(Guard.SUPERSEDED, draft.token() <= token)
                && rules.requires(Guard.CLOSED, draft.closed() < token);
    }
}
