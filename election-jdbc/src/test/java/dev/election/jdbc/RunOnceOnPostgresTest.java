package dev.election.jdbc;

import dev.election.testing.RealTime;

@RealTime
class RunOnceOnPostgresTest extends RunOnceOnDatabaseContract {

    @Override
    TestDatabase database() {
        return new PostgresDatabase();
    }
}
