package dev.election.internal.engine;

import dev.election.record.Continuity;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReplaceOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of the one election of a world, in a store that can change it only as a whole; and what may befall it. */
final class SimulatedRecords {

    private static final Pattern EVICTED = Pattern.compile("(?m)^epoch\\.evicted=(\\d+)$");

    private final LongSupplier millis;
    private final boolean hasClock;
    private final boolean tellsIncarnation;
    private final Mutation mutation;
    private final Runnable changed;
    private final LongConsumer evicted;

    private @Nullable Stored stored;
    private @Nullable Stored saved;
    private int incarnation = 1;
    private long startedAt = Long.MIN_VALUE / 2;
    private boolean wasStandby;
    private int made;

    SimulatedRecords(
            LongSupplier millis,
            boolean hasClock,
            boolean tellsIncarnation,
            Mutation mutation,
            Runnable changed,
            LongConsumer evicted) {
        this.millis = millis;
        this.hasClock = hasClock;
        this.tellsIncarnation = tellsIncarnation;
        this.mutation = mutation;
        this.changed = changed;
        this.evicted = evicted;
    }

    Read read() {
        return new Read(stored, origin());
    }

    ReplaceOutcome replace(@Nullable Stored expected, String text) {
        if (!isExpected(expected)) {
            return new Conflict(stored, origin());
        }
        // Versions count from 1 again once the key was deleted, as those of ZooKeeper do.
        long version = stored == null ? 1 : Long.parseLong(stored.version()) + 1;
        stored = new Stored(text, Long.toString(version));
        EVICTED.matcher(text).results().forEach(found -> evicted.accept(Long.parseLong(found.group(1))));
        changed.run();
        return new Written(stored, origin());
    }

    void forget() {
        stored = null;
        changed.run();
    }

    /** As if somebody had edited it: the lease is gone, and another id stands there. */
    void loseLease() {
        Stored before = stored;
        if (before != null) {
            String text = before.text()
                    .replaceAll("(?m)^lease\\..*\\n", "")
                    .replaceFirst("(?m)^write=.*$", "write=by hand " + made++);
            stored = new Stored(text, before.version());
            changed.run();
        }
    }

    void save() {
        saved = stored;
    }

    /** An older text comes back, byte for byte, in a store that was just started, or in a standby that has been there for a while. */
    boolean restore(boolean isNew) {
        if (saved == null || !saved.text().contains("lease.token=")) {
            return false;
        }
        stored = saved;
        saved = null;
        incarnation++;
        startedAt = isNew ? millis.getAsLong() : Long.MIN_VALUE / 2;
        wasStandby = !isNew;
        changed.run();
        return true;
    }

    private boolean isExpected(@Nullable Stored expected) {
        if (stored == null || expected == null) {
            return stored == expected;
        }
        return stored.equals(expected);
    }

    private Origin origin() {
        long now = millis.getAsLong();
        return new Origin(
                hasClock ? Instant.ofEpochMilli(now) : null,
                mutation == Mutation.NO_INCARNATION ? Continuity.promised() : continuity(now));
    }

    private Continuity continuity(long now) {
        String id = Integer.toString(incarnation);
        if (!tellsIncarnation) {
            // All connections are new once the store was replaced.
            return Continuity.ofConnection(id);
        }
        return wasStandby && mutation != Mutation.UPTIME_OF_STANDBY
                ? Continuity.ofIncarnation(id)
                : Continuity.ofIncarnation(id, Duration.ofMillis(Math.max(0, now - startedAt)));
    }
}
