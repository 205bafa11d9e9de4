package dev.election.store.test;

import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import java.time.Duration;

class InMemoryLedgerStoreTest extends LedgerStoreContract {

    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();

    @Override
    protected LedgerStore ledger() {
        return ledger;
    }

    @Override
    protected String election() {
        return "jobs";
    }

    @Override
    protected void forget() {
        ledger.forget();
    }

    @Override
    protected void putBack(Duration time) {
        ledger.age(time);
    }

    @Override
    protected void changeIncarnation() {
        ledger.intactFor(Duration.ZERO);
    }
}
