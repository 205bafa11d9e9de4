package dev.election.jdbc;

class StoreOnH2Test extends StoreOnDatabaseContract {

    @Override
    TestDatabase open() {
        return new H2Database();
    }
}
