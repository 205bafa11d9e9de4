package dev.election.testing;

import dev.election.record.Continuity;
import dev.election.record.RecordStore;
import dev.election.store.LeaseStore;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A store whose time is moved by hand: its clock, and that of the process that uses it. */
public final class ShiftedRecordStore implements RecordStore {

    private final RecordStore store;
    private final AtomicLong clockMillis = new AtomicLong();
    private final AtomicLong processMillis = new AtomicLong();
    private final AtomicLong generation = new AtomicLong();

    public ShiftedRecordStore(RecordStore store) {
        this.store = store;
    }

    public void pass(Duration time) {
        clockMillis.addAndGet(time.toMillis());
        processMillis.addAndGet(time.toMillis());
    }

    public void turnClockBack(Duration time) {
        clockMillis.addAndGet(-time.toMillis());
    }

    public long nanos() {
        return System.nanoTime() + processMillis.get() * 1_000_000;
    }

    /** Lets a store without a word for its incarnation look as if all of its connections had ended. */
    public void endConnections() {
        generation.incrementAndGet();
    }

    private Origin shifted(Origin origin) {
        var clock = origin.clock();
        Continuity shown = origin.continuity() instanceof Continuity.OfConnection connection
                ? Continuity.ofConnection(connection.id() + " " + generation.get())
                : origin.continuity();
        return new Origin(clock == null ? null : clock.plusMillis(clockMillis.get()), shown);
    }

    @Override
    public StoreTraits traits() {
        return store.traits();
    }

    @Override
    public void together(Runnable calls) {
        store.together(calls);
    }

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        return store.read(key)
                .thenApply(outcome ->
                        outcome instanceof Read read ? new Read(read.stored(), shifted(read.origin())) : outcome);
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return store.replace(key, expected, text).thenApply(this::shifted);
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        return store.delete(key, expected).thenApply(this::shifted);
    }

    private ReplaceOutcome shifted(ReplaceOutcome outcome) {
        if (outcome instanceof Written written) {
            return new Written(written.stored(), shifted(written.origin()));
        }
        return outcome instanceof Conflict conflict
                ? new Conflict(conflict.current(), shifted(conflict.origin()))
                : outcome;
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        return store.list(prefix);
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        return store.readAll(prefix)
                .thenApply(outcome ->
                        outcome instanceof ReadAll all ? new ReadAll(all.stored(), shifted(all.origin())) : outcome);
    }

    @Override
    public LeaseStore.Subscription watch(String key, Consumer<Change> listener) {
        return store.watch(key, listener);
    }
}
