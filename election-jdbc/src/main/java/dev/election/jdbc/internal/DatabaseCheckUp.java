package dev.election.jdbc.internal;

import dev.election.jdbc.JdbcVitals;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;

/** Examines a database by some statements that change nothing. */
final class DatabaseCheckUp {

    private static final int SAMPLES = 5;

    private DatabaseCheckUp() {}

    static JdbcVitals run(Session session) throws SQLException {
        Duration roundTrip = Duration.ofDays(1);
        Duration ahead = Duration.ZERO;
        boolean takesWrites = true;
        boolean tellsIncarnation = true;
        for (int i = 0; i < SAMPLES; i++) {
            Instant sent = Instant.now();
            long sentAt = System.nanoTime();
            try (PreparedStatement statement = session.prepare(session.statements().origin);
                    ResultSet row = statement.executeQuery()) {
                row.next();
                Duration took = Duration.ofNanos(System.nanoTime() - sentAt);
                if (took.compareTo(roundTrip) < 0) {
                    roundTrip = took;
                    ahead = Duration.between(
                            sent.plus(took.dividedBy(2)), Instant.EPOCH.plus(row.getLong("clock"), ChronoUnit.MICROS));
                }
                takesWrites = row.getInt("writable") != 0;
                tellsIncarnation = row.getString("incarnation") != null;
            }
        }
        return new JdbcVitals(
                session.product(),
                roundTrip,
                ahead,
                takesWrites,
                tellsIncarnation || !takesWrites,
                mayLoseCommits(session),
                session.isPooled(),
                takesWrites ? refused(session) : List.of());
    }

    /**
     * A crash of a PostgreSQL process restarts all others under the same start of the server. A commit that waits for this server alone may
     * be lost with it though there is a synchronous standby.
     */
    private static String mayLoseCommits(Session session) throws SQLException {
        if (session.dialect() != Dialect.POSTGRESQL) {
            return "";
        }
        try (PreparedStatement statement =
                        session.prepare("select coalesce(string_agg(name || '=' || setting, ', '), '') from pg_settings"
                                + " where (name, setting) in (('synchronous_commit', 'off'), ('fsync', 'off'))"
                                + " or (name, setting) = ('synchronous_commit', 'local')"
                                + " and current_setting('synchronous_standby_names') <> ''");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getString(1);
        }
    }

    private static List<String> refused(Session session) throws SQLException {
        List<String> refused = new ArrayList<>();
        for (String sql : session.statements().withoutEffect) {
            try (PreparedStatement statement = session.prepare(sql)) {
                statement.execute();
            } catch (SQLException failure) {
                if (!SqlProblem.isRefused(failure)) {
                    throw failure;
                }
                refused.add(sql.substring(0, sql.indexOf(' ')));
            }
        }
        return refused;
    }
}
