package dev.election.jdbc.internal;

import dev.election.record.Continuity;
import dev.election.record.Continuity.Line;
import dev.election.record.Continuity.Log;
import java.sql.DatabaseMetaData;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.util.Locale;

/**
 * Differences between databases: expressions for the time of the statement, for whether the server takes writes, and for its incarnation,
 * which is another one whenever the server may have lost what it acknowledged. In all of them {@code $table} is the table.
 */
enum Dialect {
    /**
     * {@code now()} would be the start of the transaction. The timeline changes with each promotion, the start of the server with each restart,
     * the database or the file of the table where a dump is restored. The file name of the log has the timeline that is written now; that of
     * the last checkpoint lags behind. Where no commit is lost by a restart, the position of the log that is on disk follows: not where a
     * standby may take the place of the server, whose commits are lost when the server comes back instead. {@link #continuity} reads these
     * parts.
     */
    POSTGRESQL(
            "cast(extract(epoch from clock_timestamp()) * 1000000 as bigint)",
            "case current_setting('transaction_read_only') when 'on' then 0 else 1 end",
            "case when pg_is_in_recovery() then null else (select system_identifier from pg_control_system()) || '-'"
                    + " || substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) || '-'"
                    + " || extract(epoch from pg_postmaster_start_time()) || '-'"
                    + " || (select oid from pg_database where datname = current_database()) || '-'"
                    + " || coalesce(pg_relation_filenode(to_regclass('$table')), 0)"
                    + " || case when current_setting('fsync') = 'on' and current_setting('synchronous_commit') <> 'off'"
                    + " and not exists (select from pg_stat_get_wal_senders())"
                    + " and not exists (select from pg_get_replication_slots() where slot_type = 'physical')"
                    + " then '@' || pg_wal_lsn_diff(pg_current_wal_flush_lsn(), '0/0') else '' end end",
            "timestamp with time zone 'epoch' + cast(? as double precision) * interval '1 millisecond'"),

    /** Uptime is counted from the start of the statement, as is the present time beside it, so the start of the server is exact. */
    MYSQL(
            OfMySql.CLOCK,
            OfMySql.WRITABLE,
            "concat(@@server_uuid, '-', unix_timestamp() - (select cast(variable_value as signed)"
                    + " from performance_schema.global_status where variable_name = 'Uptime'))",
            OfMySql.LEASE_END),

    /** Replicas of each other have different ids. */
    MARIADB(
            OfMySql.CLOCK,
            OfMySql.WRITABLE,
            "concat(@@server_id, '-', @@hostname, '-', @@port, '-', unix_timestamp() - (select cast(variable_value as"
                    + " signed) from information_schema.global_status where variable_name = 'UPTIME'))",
            OfMySql.LEASE_END),

    /** The time is that of the transaction, which is the statement. A table that is not persistent names the run of the database. */
    H2(
            "cast(extract(epoch from current_timestamp(6)) * 1000000 as bigint)",
            "case when readonly() then 0 else 1 end",
            "(select cast(id as varchar(36)) from $table_incarnation)",
            "dateadd(millisecond, ?, timestamp with time zone '1970-01-01 00:00:00+00')");

    final String clock;
    final String writable;
    final String incarnation;

    /** Expression for a parameter in milliseconds since 1970. */
    final String leaseEnd;

    Dialect(String clock, String writable, String incarnation, String leaseEnd) {
        this.clock = clock;
        this.writable = writable;
        this.incarnation = incarnation;
        this.leaseEnd = leaseEnd;
    }

    /**
     * Expression that differs between two servers behind a pooler, for users who may not ask for the incarnation; the null of SQL where
     * nothing does.
     */
    String server() {
        return this == POSTGRESQL ? "extract(epoch from pg_postmaster_start_time())" : "null";
    }

    /** Suffix of an insert that skips a row that is there already; empty where such an insert fails. */
    String ifAbsent() {
        return this == POSTGRESQL ? " on conflict do nothing" : "";
    }

    /** Whether a change can return the expressions above. */
    boolean returns() {
        return this == POSTGRESQL;
    }

    /** Expression that a change also returns to notify listeners; empty if the database can't. */
    String notification() {
        return this == POSTGRESQL ? ", pg_notify('$channel', ?)" : "";
    }

    /** Expressions that MySQL and MariaDB have in common. */
    private static final class OfMySql {

        /**
         * How long the statement has run, as a difference of local times. It is half an hour or more only if local time is put forward or
         * back meanwhile.
         */
        private static final String RUNS_FOR = "timestampdiff(microsecond, now(6), sysdate(6))";

        /** A statement may wait for a lock of the table, and then read what is newer than its start. */
        static final String CLOCK = "timestampdiff(microsecond, timestamp '1970-01-01 00:00:00', utc_timestamp(6))"
                + " + case when " + RUNS_FOR + " between 0 and 1799999999 then " + RUNS_FOR + " else 0 end";

        /** A number, or since MariaDB 12 one of several words, which would all count as 0. */
        static final String WRITABLE = "cast(@@global.read_only as char) in ('0', 'OFF')";

        static final String LEASE_END = "timestampadd(microsecond, ? * 1000, timestamp '1970-01-01 00:00:00')";
    }

    /** Reads the incarnation of a server. */
    Continuity continuity(String incarnation) {
        if (this != POSTGRESQL) {
            return Continuity.ofIncarnation(incarnation);
        }
        String[] idAndPosition = incarnation.split("@", 2);
        String[] parts = idAndPosition[0].split("-", 4);
        Line line = new Line("the timeline of PostgreSQL system " + parts[0], Long.parseLong(parts[1], 16));
        // All but the start of the server.
        Log log = idAndPosition.length == 1
                ? null
                : new Log(parts[0] + "-" + parts[1] + "-" + parts[3], Long.parseLong(idAndPosition[1]));
        return Continuity.ofIncarnation(idAndPosition[0], line, log);
    }

    static Dialect of(DatabaseMetaData database) throws SQLException {
        String product = database.getDatabaseProductName().toLowerCase(Locale.ROOT);
        // The driver of MySQL calls a MariaDB so, too.
        if (product.contains("mariadb")
                || database.getDatabaseProductVersion().toLowerCase(Locale.ROOT).contains("mariadb")) {
            return MARIADB;
        }
        return switch (product) {
            case "postgresql" -> POSTGRESQL;
            case "mysql" -> MYSQL;
            case "h2" -> H2;
            default ->
                throw new SQLFeatureNotSupportedException(
                        "The elections need PostgreSQL, MySQL, MariaDB or H2, but this is "
                                + database.getDatabaseProductName());
        };
    }
}
