package dev.election.record;

import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.StoreView;
import dev.election.record.ElectionRecord.Lease;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Computes the state of an election for those who only read it. */
final class RecordView {

    private RecordView() {}

    static StoreView of(ElectionRecord record, long now) {
        Lease stored = record.lease();
        Optional<Lease> held = stored == null || stored.ends() < now ? Optional.empty() : Optional.of(stored);
        return new StoreView(
                Instant.ofEpochMilli(now),
                held.map(Lease::leader),
                Duration.ofMillis(held.map(lease -> Math.min(lease.ends() - now, lease.length()))
                        .orElse(0L)),
                history(record, held.map(Lease::token).orElse(0L), now));
    }

    /** Returns the past leaderships. One that was never released, and is held no more, ended with its lease. */
    private static List<LeadershipRecord> history(ElectionRecord record, long held, long now) {
        long ends = record.epoch() == null || record.epoch().ends() == 0
                ? now
                : Math.min(record.epoch().ends(), now);
        return record.history().stream()
                .map(past -> past.until() != null || past.leader().token().value() == held
                        ? past
                        : new LeadershipRecord(past.leader(), Instant.ofEpochMilli(ends), LossReason.EXPIRED))
                .toList();
    }
}
