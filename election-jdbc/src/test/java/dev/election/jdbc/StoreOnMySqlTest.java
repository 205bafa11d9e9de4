package dev.election.jdbc;

import org.junit.jupiter.api.Tag;

/** In no build, since no package of a stable Debian has the server: {@code mvn -Pmysql} runs it. */
@Tag("mysql")
class StoreOnMySqlTest extends StoreOnDatabaseContract {

    @Override
    TestDatabase open() {
        try {
            return new MySqlDatabase();
        } catch (Exception failure) {
            throw new AssertionError("The server did not start", failure);
        }
    }
}
