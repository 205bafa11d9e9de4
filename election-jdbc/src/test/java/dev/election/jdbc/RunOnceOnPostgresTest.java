package dev.election.jdbc;

import dev.election.testing.RealTime;
import org.junit.jupiter.api.AutoClose;

@RealTime
class RunOnceOnPostgresTest extends RunOnceOnDatabaseContract {

    @AutoClose
    private static final PostgresDatabase DATABASE = new PostgresDatabase();

    @Override
    TestDatabase database() {
        return DATABASE;
    }
}
