package dev.election.jdbc;

import dev.election.testing.RealTime;
import org.junit.jupiter.api.AutoClose;

@RealTime
class RunOnceOnH2Test extends RunOnceOnDatabaseContract {

    @AutoClose
    private static final H2Database DATABASE = new H2Database();

    @Override
    TestDatabase database() {
        return DATABASE;
    }
}
