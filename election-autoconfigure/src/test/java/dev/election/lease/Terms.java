package dev.election.lease;

import dev.election.Leader;
import dev.election.LossReason;
import dev.election.Term;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** The history that the scripts keep, once more in Java. */
final class Terms {

    private static final int REMEMBERED = LeaseStoreContract.HISTORY;

    /** The latest first. */
    private List<Term> terms = new ArrayList<>();

    void forget() {
        terms.clear();
    }

    /** A leadership begins, and one before that was not released has ended with its lease. */
    void begin(Leader leader, long endOfLast) {
        if (!terms.isEmpty() && terms.get(0).until() == null) {
            end(terms.get(0).leader().token().value(), endOfLast, LossReason.EXPIRED);
        }
        terms.add(0, new Term(leader, null, null));
        terms = new ArrayList<>(terms.subList(0, Math.min(REMEMBERED, terms.size())));
    }

    /** A leadership came back that may be unknown by now. */
    void resume(Leader leader) {
        if (terms.isEmpty() || !terms.get(0).leader().token().equals(leader.token())) {
            terms.add(0, new Term(leader, null, null));
        }
    }

    void end(long token, long at, LossReason reason) {
        if (!terms.isEmpty()
                && terms.get(0).leader().token().value() == token
                && terms.get(0).until() == null) {
            terms.set(0, new Term(terms.get(0).leader(), Instant.ofEpochMilli(at), reason));
        }
    }

    /** As they are while the leadership with this token lasts, or none if it is 0. */
    List<Term> seen(long held, long endOfLast) {
        return terms.stream()
                .map(term -> term.until() != null || term.leader().token().value() == held
                        ? term
                        : new Term(term.leader(), Instant.ofEpochMilli(endOfLast), LossReason.EXPIRED))
                .toList();
    }
}
