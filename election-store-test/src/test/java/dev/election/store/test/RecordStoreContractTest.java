package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.record.Continuity;
import dev.election.record.RecordStore;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
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
        contract(showing(own -> Continuity.promised()), Optional.empty())
                .a_store_that_may_lose_what_it_acknowledged_shows_it();
    }

    @Test
    void a_store_that_names_a_pool_in_place_of_a_connection_is_found() {
        RecordStoreContract contract = contract(showing(own -> Continuity.ofConnection("pool")), standby);
        assertFails(contract::a_promoted_standby_has_another_name_and_proves_no_age_from_before_its_promotion);
        assertFails(contract::a_change_that_rests_on_what_was_read_before_a_standby_was_promoted_does_not_count);
        assertFails(
                contract::a_promoted_standby_does_not_grant_a_lease_that_the_store_has_granted_since_the_standby_lags);
    }

    @Test
    void a_store_that_names_the_standby_like_the_store_is_found() {
        RecordStoreContract contract =
                contract(showing(own -> Continuity.ofIncarnation("a cluster, not one run of it")), standby);
        assertFails(contract::a_promoted_standby_has_another_name_and_proves_no_age_from_before_its_promotion);
        assertFails(contract::a_change_that_rests_on_what_was_read_before_a_standby_was_promoted_does_not_count);
        assertFails(
                contract::a_promoted_standby_does_not_grant_a_lease_that_the_store_has_granted_since_the_standby_lags);
    }

    @Test
    void a_store_that_tells_the_uptime_of_a_promoted_standby_is_found() {
        RecordStoreContract contract = contract(showing(RecordStoreContractTest::withUptime), standby);
        assertFails(contract::a_promoted_standby_has_another_name_and_proves_no_age_from_before_its_promotion);
        assertFails(
                contract::a_promoted_standby_does_not_grant_a_lease_that_the_store_has_granted_since_the_standby_lags);
    }

    private static Continuity withUptime(Continuity own) {
        return Continuity.ofIncarnation(((Continuity.OfIncarnation) own).id(), Duration.ofDays(3));
    }

    private static void assertFails(ThrowingCallable test) {
        assertThatThrownBy(test).isInstanceOf(AssertionError.class);
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

    private RecordStore showing(UnaryOperator<Continuity> claim) {
        return new ShowingRecordStore(() -> records, claim, records::look, older -> {});
    }
}
