package dev.election.store.test;

import dev.election.record.AtomicLeaseStore;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;

/** The members by the rules that the simulation and the scripts of Redis follow. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class AtomicMembersTest implements MemberChangesContract {

    private final AtomicLong millis = new AtomicLong(1_800_000_000_000L);
    private final AtomicLeaseStore store = new AtomicLeaseStore(millis::get);

    @Override
    public LeaseStore store() {
        return store;
    }

    @Override
    public void pass(Duration time) {
        millis.addAndGet(time.toMillis());
    }

    @Override
    public void forget() {
        store.members().forget();
    }
}
