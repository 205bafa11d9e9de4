package dev.election.store.test;

import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.LedgerStore;
import dev.election.testing.LeaderStateContract;

/** The state of leaders in a store of texts. */
class LeaderStateTest extends LeaderStateContract {

    private final InMemoryRecordStore records = InMemoryRecordStore.withoutClock();

    @Override
    protected LedgerStore ledger() {
        return new RecordLeaseStore(records, "", new LeaseRules(5))
                .ledgerStore()
                .orElseThrow();
    }

    @Override
    protected String election() {
        return "reports";
    }

    @Override
    protected void forgetState() {
        records.put("ledger/reports/state", null);
    }
}
