package dev.election.store.test;

import dev.election.record.RecordStore;
import java.util.Optional;
import org.junit.jupiter.api.Nested;

class InMemoryRecordStoreTest {

    @Nested
    class WithIncarnation extends Contract {}

    @Nested
    class WithoutIncarnation extends Contract {

        WithoutIncarnation() {
            records.hideIncarnation();
        }
    }

    @Nested
    class WithoutLedgers extends Contract {

        WithoutLedgers() {
            records.keepNoLedgers();
        }
    }

    abstract static class Contract extends RecordStoreContract {

        final InMemoryRecordStore records = InMemoryRecordStore.withoutClock();

        @Override
        protected RecordStore store() {
            return records;
        }

        @Override
        protected Optional<Standby> standby() {
            return Optional.of(standbyOf(records));
        }
    }

    static RecordStoreContract.Standby standbyOf(InMemoryRecordStore records) {
        return new RecordStoreContract.Standby() {
            @Override
            public void detach() {
                records.detachStandby();
            }

            @Override
            public void promote() {
                records.promoteStandby();
            }
        };
    }
}
