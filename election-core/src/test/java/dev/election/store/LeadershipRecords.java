package dev.election.store;

import dev.election.Leader;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The history that the scripts keep, once more in Java. */
final class LeadershipRecords {

    private static final int REMEMBERED = LeaseStoreContract.HISTORY;

    /** The latest first. */
    private List<LeadershipRecord> leaderships = new ArrayList<>();

    void forget() {
        leaderships.clear();
    }

    /** A leadership begins, and one before that was not released has ended with its lease. */
    void begin(Leader leader, long endOfLast) {
        if (!leaderships.isEmpty() && leaderships.get(0).until() == null) {
            end(leaderships.get(0).leader().token().value(), endOfLast, LossReason.EXPIRED);
        }
        leaderships.add(0, new LeadershipRecord(leader, null, null));
        leaderships = new ArrayList<>(leaderships.subList(0, Math.min(REMEMBERED, leaderships.size())));
    }

    /** A leadership came back that may be unknown by now. */
    void resume(Leader leader) {
        if (leaderships.isEmpty() || !leaderships.get(0).leader().token().equals(leader.token())) {
            leaderships.add(0, new LeadershipRecord(leader, null, null));
        }
    }

    void end(long token, long at, LossReason reason) {
        if (!leaderships.isEmpty()
                && leaderships.get(0).leader().token().value() == token
                && leaderships.get(0).until() == null) {
            leaderships.set(0, new LeadershipRecord(leaderships.get(0).leader(), Instant.ofEpochMilli(at), reason));
        }
    }

    /** As they are while the leadership with this token lasts, or none if it is 0. */
    List<LeadershipRecord> seen(long held, long endOfLast) {
        return leaderships.stream()
                .map(term -> term.until() != null || term.leader().token().value() == held
                        ? term
                        : new LeadershipRecord(term.leader(), Instant.ofEpochMilli(endOfLast), LossReason.EXPIRED))
                .toList();
    }
}
