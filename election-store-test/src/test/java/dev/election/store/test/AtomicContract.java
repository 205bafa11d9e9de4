package dev.election.store.test;

import dev.election.record.AtomicLeaseStore;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** The contract over a store whose time is driven by hand. */
abstract class AtomicContract extends LeaseStoreContract {

    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
    private final AtomicLeaseStore store = new AtomicLeaseStore(millis::get);

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public void forget() {
        store.of(election()).forget();
    }

    @Override
    public Runnable save() {
        return store.of(election()).saved();
    }

    @Override
    public void loseLease() {
        store.of(election()).loseLease();
    }

    @Override
    public void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    @Override
    public void changeIncarnation() {
        store.of(election()).becomeAnother(LEASE);
    }

    @Override
    public Duration leaseOlderThanTheServer() {
        return LEASE.plusMillis(1000);
    }

    @Override
    public void turnClockBack(Duration time) {
        millis.addAndGet(-time.toMillis());
    }
}
