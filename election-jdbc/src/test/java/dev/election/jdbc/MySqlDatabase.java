package dev.election.jdbc;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A MySQL: {@code mysqld} must be on the path, or {@code -Delection.test.mysqld} names it. */
final class MySqlDatabase extends MySqlFamilyDatabase {

    private static final String SERVER = System.getProperty("election.test.mysqld", "mysqld");

    MySqlDatabase() throws Exception {
        super("mysql", SERVER, "--no-defaults", "--initialize-insecure", "--secure-file-priv=NULL");
    }

    @Override
    List<String> command() {
        return List.of(SERVER, "--no-defaults", "--secure-file-priv=NULL", "--mysqlx=OFF");
    }

    /** The server makes a new one. */
    @Override
    void becomeAnother(Path data) throws IOException {
        Files.delete(data.resolve("auto.cnf"));
    }
}
