package dev.election.store.test;

import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.ForwardingLeaseStore;
import java.util.function.LongSupplier;

/** Leases in memory, by the rules that all stores follow. Answers at once, on the caller's thread. */
public final class InMemoryLeaseStore extends ForwardingLeaseStore {

    private static final int REMEMBERED = 100;

    /** By the clock of this machine. */
    public InMemoryLeaseStore() {
        this(System::currentTimeMillis);
    }

    /**
     * By another clock.
     *
     * @param millis milliseconds since 1970
     */
    public InMemoryLeaseStore(LongSupplier millis) {
        this(InMemoryRecordStore.withClock(millis));
    }

    private InMemoryLeaseStore(InMemoryRecordStore records) {
        super(new RecordLeaseStore(records, "", new LeaseRules(REMEMBERED)));
    }
}
