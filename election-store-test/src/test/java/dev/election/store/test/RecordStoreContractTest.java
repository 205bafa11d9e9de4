package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.store.Incarnation;
import dev.election.store.LeaseStore;
import dev.election.store.RecordStore;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Stores that tell more of themselves than they know. */
class RecordStoreContractTest {

    private final InMemoryRecordStore records = InMemoryRecordStore.withoutClock();
    private final Optional<RecordStoreContract.Standby> standby =
            Optional.of(InMemoryRecordStoreTest.standbyOf(records));

    @Test
    void a_store_without_a_standby_may_not_tell_for_how_long_it_has_lost_nothing() {
        assertThatThrownBy(
                        () -> contract(records, Optional.empty()).a_store_that_may_lose_what_it_acknowledged_shows_it())
                .isInstanceOf(AssertionError.class);
        contract(answering(Incarnation.UNKNOWN), Optional.empty())
                .a_store_that_may_lose_what_it_acknowledged_shows_it();
    }

    @Test
    void a_store_that_counts_a_connection_to_the_standby_in_full_is_found() {
        assertFails(answering(new Incarnation(null, Duration.ofDays(1))));
    }

    @Test
    void a_store_that_names_the_standby_like_the_store_is_found() {
        assertFails(answering(new Incarnation("a cluster, not one run of it", Duration.ofDays(1))));
    }

    private void assertFails(RecordStore store) {
        RecordStoreContract contract = contract(store, standby);
        assertThatThrownBy(contract::a_connection_to_a_standby_counts_from_its_promotion)
                .isInstanceOf(AssertionError.class);
        assertThatThrownBy(contract::a_change_that_rests_on_what_was_read_before_a_standby_was_promoted_does_not_count)
                .isInstanceOf(AssertionError.class);
    }

    private static RecordStoreContract contract(RecordStore store, Optional<RecordStoreContract.Standby> standby) {
        RecordStoreContract contract = new RecordStoreContract() {
            @Override
            protected RecordStore store() {
                return store;
            }

            @Override
            protected Optional<Standby> standby() {
                return standby;
            }
        };
        contract.nameTheKey();
        return contract;
    }

    private RecordStore answering(Incarnation incarnation) {
        return new Answering(records, new RecordStore.Origin(null, incarnation));
    }

    /** The same store, which tells something else of itself. */
    private record Answering(RecordStore store, Origin origin) implements RecordStore {

        @Override
        public StoreTraits traits() {
            return store.traits();
        }

        @Override
        public CompletionStage<ReadOutcome> read(String key) {
            return store.read(key)
                    .thenApply(outcome -> outcome instanceof Read read ? new Read(read.stored(), origin) : outcome);
        }

        @Override
        public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
            return store.replace(key, expected, text).thenApply(this::changed);
        }

        @Override
        public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
            return store.delete(key, expected).thenApply(this::changed);
        }

        @Override
        public CompletionStage<ListOutcome> list(String prefix) {
            return store.list(prefix);
        }

        @Override
        public LeaseStore.Subscription watch(String key, Consumer<Change> listener) {
            return store.watch(key, listener);
        }

        private ReplaceOutcome changed(ReplaceOutcome outcome) {
            return outcome instanceof Written written
                    ? new Written(written.stored(), origin)
                    : new Conflict(((Conflict) outcome).current(), origin);
        }
    }
}
