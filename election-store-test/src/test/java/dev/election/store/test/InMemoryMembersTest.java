package dev.election.store.test;

import dev.election.store.LeaseStore;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;

/** The messages of members in memory. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class InMemoryMembersTest implements MemberMessagingContract {

    private final LeaseStore store = new InMemoryLeaseStore();

    @Override
    public LeaseStore store() {
        return store;
    }
}
