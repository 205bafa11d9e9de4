package dev.election.jdbc;

import java.nio.file.Path;
import java.util.List;

/** A MariaDB: its binaries must be on the path. */
final class MariaDbDatabase extends MySqlFamilyDatabase {

    private int promotions;

    MariaDbDatabase() throws Exception {
        super(
                "mariadb",
                "mariadb-install-db",
                "--no-defaults",
                "--auth-root-authentication-method=normal",
                "--skip-test-db");
    }

    @Override
    List<String> command() {
        return List.of("mariadbd", "--no-defaults", "--server-id=" + (1 + promotions));
    }

    @Override
    void becomeAnother(Path data) {
        promotions++;
    }
}
