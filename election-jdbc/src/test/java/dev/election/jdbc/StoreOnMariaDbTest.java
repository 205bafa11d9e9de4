package dev.election.jdbc;

import dev.election.testing.OtherServers;

@OtherServers
class StoreOnMariaDbTest extends StoreOnDatabaseContract {

    @Override
    TestDatabase open() {
        try {
            return new MariaDbDatabase();
        } catch (Exception failure) {
            throw new AssertionError("The server did not start", failure);
        }
    }
}
