package dev.election.store;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

class InMemoryLeaseStoreTest extends LeaseStoreContract {

    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
    private final InMemoryLeaseStore store = new InMemoryLeaseStore(millis::get);

    @Override
    protected LeaseStore store() {
        return store;
    }

    @Override
    protected void forget() {
        store.machine(election).forget();
    }

    @Override
    protected void loseLease() {
        store.machine(election).loseLease();
    }

    @Override
    protected void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    @Override
    protected void changeIncarnation() {
        store.machine(election).becomeAnother(LEASE);
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
