package dev.election.store.test;

import dev.election.record.Continuity;
import dev.election.record.RecordStore;
import dev.election.store.LeaseStore;
import dev.election.store.StoreTraits;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A store that shows something else of itself.
 *
 * @param present the store that answers now
 * @param claim what to show instead of what that store shows
 * @param others where all servers of the store stand
 * @param older hears which store is older than one that was seen
 */
record ShowingRecordStore(
        Supplier<RecordStore> present,
        UnaryOperator<Continuity> claim,
        Supplier<CompletionStage<List<Continuity.Line>>> others,
        Consumer<Continuity> older)
        implements RecordStore {

    private RecordStore store() {
        return present.get();
    }

    @Override
    public StoreTraits traits() {
        return store().traits();
    }

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        return store().read(key)
                .thenApply(outcome ->
                        outcome instanceof Read read ? new Read(read.stored(), shown(read.origin())) : outcome);
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return store().replace(key, expected, text).thenApply(this::changed);
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        return store().delete(key, expected).thenApply(this::changed);
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        return store().list(prefix);
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        return store().readAll(prefix)
                .thenApply(outcome ->
                        outcome instanceof ReadAll all ? new ReadAll(all.stored(), shown(all.origin())) : outcome);
    }

    @Override
    public CompletionStage<List<Continuity.Line>> look() {
        return others.get();
    }

    @Override
    public void replaced(Continuity shown) {
        older.accept(shown);
    }

    @Override
    public LeaseStore.Subscription watch(String key, Consumer<Change> listener) {
        return store().watch(key, listener);
    }

    private ReplaceOutcome changed(ReplaceOutcome outcome) {
        return outcome instanceof Written written
                ? new Written(written.stored(), shown(written.origin()))
                : new Conflict(((Conflict) outcome).current(), shown(((Conflict) outcome).origin()));
    }

    private Origin shown(Origin own) {
        return new Origin(own.clock(), claim.apply(own.continuity()));
    }
}
