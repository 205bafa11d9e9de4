package dev.election.internal.simulation;

import dev.election.record.Continuity;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.ReadAll;
import dev.election.record.RecordStore.ReplaceOutcome;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The text of the one election of a world, and those of its members, in a store that can change each only as a whole; and what may befall it. */
final class SimulatedRecords {

    /** What the keys of the members begin with. */
    static final String MEMBERS = "members/";

    private static final Pattern HANDED_OVER = Pattern.compile("(?m)^leadership=.* PREEMPTED ");
    private static final Pattern EVICTED = Pattern.compile("(?m)^epoch\\.evicted=(\\d+)$");

    private final LongSupplier millis;
    private final boolean hasClock;
    private final boolean tellsIncarnation;
    private final Mutation mutation;
    private final Runnable changed;
    private final LongConsumer evicted;

    private final Map<String, Stored> members = new TreeMap<>();
    private @Nullable Stored stored;
    private @Nullable Stored saved;
    private Map<String, Stored> savedMembers = Map.of();
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
        if (!Objects.equals(stored, expected)) {
            return new Conflict(stored, origin());
        }
        stored = next(stored, text);
        EVICTED.matcher(text).results().forEach(found -> evicted.accept(Long.parseLong(found.group(1))));
        changed.run();
        return new Written(stored, origin());
    }

    /** Versions count from 1 again once the key was deleted, as those of ZooKeeper do. */
    private static Stored next(@Nullable Stored before, String text) {
        return new Stored(text, before == null ? "1" : Long.toString(Long.parseLong(before.version()) + 1));
    }

    /** In an order that a seed repeats. */
    ReadAll readMembers() {
        return new ReadAll(new TreeMap<>(members), origin());
    }

    Read readMember(String key) {
        return new Read(members.get(key), origin());
    }

    /** Deletes it if the text is {@code null}. */
    ReplaceOutcome replaceMember(String key, @Nullable Stored expected, @Nullable String text) {
        Stored before = members.get(key);
        if (!Objects.equals(before, expected)) {
            return new Conflict(before, origin());
        }
        Stored after = text == null ? null : next(before, text);
        members.compute(key, (same, old) -> after);
        return new Written(after, origin());
    }

    /** How many of the leaderships that are remembered were handed over by their leader itself. */
    long handOvers() {
        return stored == null ? 0 : HANDED_OVER.matcher(stored.text()).results().count();
    }

    /** Whether a restored store is known to be another one. */
    boolean tellsIncarnation() {
        return tellsIncarnation && mutation != Mutation.NO_INCARNATION;
    }

    boolean hasClock() {
        return hasClock;
    }

    void forget() {
        stored = null;
        members.clear();
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
        savedMembers = Map.copyOf(members);
    }

    /** An older text comes back, byte for byte, in a store that was just started, or in a standby that has been there for a while. */
    boolean restore(boolean isNew) {
        if (saved == null || !saved.text().contains("lease.token=")) {
            return false;
        }
        stored = saved;
        saved = null;
        members.clear();
        members.putAll(savedMembers);
        incarnation++;
        startedAt = isNew ? millis.getAsLong() : Long.MIN_VALUE / 2;
        wasStandby = !isNew;
        changed.run();
        return true;
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
