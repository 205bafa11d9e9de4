package dev.election.jdbc;

import dev.election.testing.RealTime;

@RealTime
class RunOnceOnH2Test extends RunOnceOnDatabaseContract {

    @Override
    TestDatabase database() {
        return new H2Database();
    }
}
