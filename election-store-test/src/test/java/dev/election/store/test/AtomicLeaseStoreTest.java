package dev.election.store.test;

import dev.election.store.AtomicLeaseStore;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

class AtomicLeaseStoreTest extends LeaseStoreContract {

    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
    private final AtomicLeaseStore store = new AtomicLeaseStore(millis::get);

    @Override
    protected LeaseStore store() {
        return store;
    }

    @Override
    protected void forget() {
        store.of(election).forget();
    }

    @Override
    protected Runnable save() {
        return store.of(election).saved();
    }

    @Override
    protected void loseLease() {
        store.of(election).loseLease();
    }

    @Override
    protected void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    @Override
    protected void changeIncarnation() {
        store.of(election).becomeAnother(LEASE);
    }

    @Override
    protected Duration leaseOlderThanTheServer() {
        return LEASE.plusMillis(1000);
    }

    @Override
    protected void turnClockBack(Duration time) {
        millis.addAndGet(-time.toMillis());
    }
}
