package dev.election.fencing.internal.table;

import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Locale;

/**
 * How a database locks a row so that it can't be changed until the end of the transaction, and limits how long a statement waits for such a
 * lock. Neither leaves anything behind in the session, which goes back to a pool.
 */
enum FenceDialect {
    POSTGRESQL("for share", true),
    MYSQL("for share", true),
    /** Has no {@code FOR SHARE}. */
    MARIADB("lock in share mode wait %d", true),
    /** Has no shared lock of a row. Its query timeout is that of the session: the updates of a row wait as long as its lock timeout says. */
    H2("for update wait %d", false),
    OTHER("for update", true);

    private final String lock;
    private final boolean limitsStatements;

    FenceDialect(String lock, boolean limitsStatements) {
        this.lock = lock;
        this.limitsStatements = limitsStatements;
    }

    static FenceDialect of(DatabaseMetaData database) throws SQLException {
        String product = database.getDatabaseProductName().toLowerCase(Locale.ROOT);
        String version = database.getDatabaseProductVersion().toLowerCase(Locale.ROOT);
        // The driver of MySQL calls a MariaDB so, too.
        if (product.contains("mariadb") || version.contains("mariadb")) {
            return MARIADB;
        }
        return switch (product) {
            case "postgresql" -> POSTGRESQL;
            case "mysql" -> MYSQL;
            case "h2" -> H2;
            default -> OTHER;
        };
    }

    /** The end of a select that locks its rows. */
    String lock(int seconds) {
        return String.format(Locale.ROOT, lock, seconds);
    }

    void limit(PreparedStatement statement, int seconds) throws SQLException {
        if (limitsStatements) {
            statement.setQueryTimeout(seconds);
        }
    }
}
