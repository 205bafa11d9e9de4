package dev.election.store.test;

import dev.election.record.LeaseRules;
import dev.election.record.RecordLeaseStore;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.MemberStore;
import java.util.Optional;
import java.util.function.LongSupplier;

/** A store of leases, members and their messages in memory, by the rules that all stores follow. Answers at once, on the caller's thread. */
public final class InMemoryLeaseStore extends ForwardingLeaseStore {

    private static final int REMEMBERED = 100;

    private final Optional<MemberStore> members;

    /** Creates a store with the clock of this machine. */
    public InMemoryLeaseStore() {
        this(System::currentTimeMillis);
    }

    /**
     * Creates a store with another clock.
     *
     * @param millis a clock of milliseconds since 1970
     */
    public InMemoryLeaseStore(LongSupplier millis) {
        this(InMemoryRecordStore.withClock(millis));
    }

    private InMemoryLeaseStore(InMemoryRecordStore records) {
        super(new RecordLeaseStore(records, "", new LeaseRules(REMEMBERED)));
        this.members = super.memberStore().map(new InMemoryMessaging()::with);
    }

    @Override
    public Optional<MemberStore> memberStore() {
        return members;
    }
}
