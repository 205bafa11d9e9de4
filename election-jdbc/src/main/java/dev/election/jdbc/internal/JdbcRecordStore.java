package dev.election.jdbc.internal;

import dev.election.StoreUnavailableException;
import dev.election.jdbc.JdbcDatabase;
import dev.election.jdbc.JdbcSettings;
import dev.election.jdbc.JdbcVitals;
import dev.election.record.Continuity;
import dev.election.record.KeptConnections;
import dev.election.record.RecordStore;
import dev.election.record.RecordSummary;
import dev.election.record.RecordSummary.Holder;
import dev.election.store.LeaseStore;
import dev.election.store.StoreTraits;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Types;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Record store in the rows of a table. A request is one statement that commits itself, and one more where it fails because of another. On
 * MySQL, MariaDB and H2 one more statement says when a change was made.
 */
public final class JdbcRecordStore implements RecordStore, AutoCloseable {

    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);
    private static final Duration TIMEOUT = Duration.ofMillis(500);

    /** How long a leader needs to connect again and to renew once it has heard the roll call. */
    private static final Duration COMEBACK = Duration.ofSeconds(1);

    private static final Duration POLL = Duration.ofSeconds(5);
    private static final Duration POLL_IN_MEMORY = Duration.ofMillis(200);

    private final StoreTraits traits;
    private final String location;
    private final Requests requests;
    private final KeyWatch watch;

    private final boolean passesMessages;

    /** {@code null} if there is only the poll. */
    private final @Nullable NewsListener listener;

    /**
     * Creates the store, which connects to nothing yet.
     *
     * @param shortestLease the shortest lease of the elections: a third of it is the time limit for an answer, within bounds
     */
    public JdbcRecordStore(JdbcDatabase database, JdbcSettings settings, Duration shortestLease) {
        Duration configured = settings.pollInterval();
        Duration usual = database.isInMemory() ? POLL_IN_MEMORY : POLL;
        Duration interval = configured == null ? usual : configured;
        this.traits = new StoreTraits(
                database.product(),
                settings.names().table(),
                Duration.ofMillis(1),
                SHORTEST_LEASE,
                TIMEOUT,
                interval.plus(COMEBACK),
                interval.plus(TIMEOUT));
        this.location = database.product() + " (" + database.address() + "), table "
                + settings.table().qualified();
        Duration limit = KeptConnections.limit(shortestLease);
        Boolean chosen = settings.listen();
        boolean notifies = chosen == null || chosen;
        this.requests = new Requests(database, settings, limit, notifies);
        this.watch = new KeyWatch(requests, interval);
        // An application that has set up a pool has not reckoned with one more connection.
        boolean isPostgres = database.product().equals("PostgreSQL");
        boolean listens = chosen == null ? isPostgres : chosen;
        // Of a DataSource the application says by that setting that it is one of PostgreSQL.
        this.passesMessages = notifies && (isPostgres || (chosen != null && !database.isKnown()));
        this.listener = listens
                ? new NewsListener(
                        new NewsListener.Source() {
                            @Override
                            public NewsListener.Listening open() throws SQLException {
                                return PostgresNotifications.open(requests.database(), settings.table(), limit);
                            }

                            @Override
                            public boolean isAway() {
                                return !requests.isAnswered();
                            }
                        },
                        watch,
                        interval,
                        chosen != null)
                : null;
        if (listener != null && !database.servers().isEmpty()) {
            // A listener may stay with an old primary that comes back, which requests have left.
            requests.whenLost(listener::reopen);
        }
    }

    @Override
    public StoreTraits traits() {
        return traits;
    }

    @Override
    public String location() {
        return location;
    }

    @Override
    public boolean passesMessages() {
        return passesMessages;
    }

    @Override
    public boolean hearsAtOnce() {
        return listener != null && listener.isListening();
    }

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        return requests.ask(session -> readOne(session, key), Failed::new);
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return requests.ask(
                session -> expected == null
                        ? insert(session, key, new Stored(text, "1"))
                        : update(session, key, expected, new Stored(text, next(expected.version()))),
                Failed::new);
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        return requests.ask(
                session -> change(
                        session,
                        key,
                        null,
                        session.statements().delete,
                        statement -> expect(statement, 1, key, expected)),
                Failed::new);
    }

    @Override
    public CompletionStage<ListOutcome> list(String prefix) {
        return requests.ask(
                session -> {
                    try (PreparedStatement statement = session.prepare(session.statements().list)) {
                        statement.setString(1, Statements.pattern(prefix));
                        List<String> keys = new ArrayList<>();
                        try (ResultSet rows = statement.executeQuery()) {
                            while (rows.next()) {
                                keys.add(rows.getString("name"));
                            }
                        }
                        return new Listed(keys);
                    }
                },
                Failed::new);
    }

    @Override
    public CompletionStage<ReadAllOutcome> readAll(String prefix) {
        return requests.ask(
                session -> {
                    try (PreparedStatement statement = session.prepare(session.statements().readAll)) {
                        statement.setString(1, Statements.pattern(prefix));
                        Map<String, Stored> stored = new HashMap<>();
                        Origin origin = null;
                        try (ResultSet rows = statement.executeQuery()) {
                            while (rows.next()) {
                                origin = origin == null ? session.origin(rows) : origin;
                                if (rows.getString("name") != null) {
                                    stored.put(rows.getString("name"), stored(rows));
                                }
                            }
                        }
                        return new ReadAll(stored, required(origin));
                    }
                },
                Failed::new);
    }

    @Override
    public CompletionStage<List<Continuity.Line>> look() {
        return requests.look();
    }

    @Override
    public void replaced(Continuity shown) {
        requests.replaced(shown);
    }

    @Override
    public LeaseStore.Subscription watch(String key, Consumer<Change> watcher) {
        LeaseStore.Subscription subscription = watch.add(key, watcher);
        if (listener != null) {
            listener.start();
        }
        return subscription;
    }

    /** Examines the database, and changes nothing. */
    public CompletionStage<JdbcVitals> checkUp() {
        return requests.<CompletionStage<JdbcVitals>>ask(
                        session -> CompletableFuture.completedFuture(DatabaseCheckUp.run(session)),
                        none -> CompletableFuture.failedFuture(
                                new StoreUnavailableException(none.problem(), none.detail(), none.action())))
                .thenCompose(vitals -> vitals);
    }

    @Override
    public void close() {
        if (listener != null) {
            listener.close();
        }
        watch.close();
        requests.close();
    }

    private static Read readOne(Session session, String key) throws SQLException {
        try (PreparedStatement statement = session.prepare(session.statements().readOne)) {
            statement.setString(1, key);
            try (ResultSet row = statement.executeQuery()) {
                row.next();
                Origin origin = session.origin(row);
                return new Read(row.getString("name") == null ? null : stored(row), origin);
            }
        }
    }

    private static ReplaceOutcome insert(Session session, String key, Stored next) throws SQLException {
        Row row = Row.of(next);
        return write(session, key, null, row, session.statements().insert, statement -> {
            int index = row.put(statement);
            statement.setString(index, key);
            return index + 1;
        });
    }

    private static ReplaceOutcome update(Session session, String key, Stored expected, Stored next)
            throws SQLException {
        Row row = Row.of(next);
        return write(
                session,
                key,
                expected,
                row,
                session.statements().update,
                statement -> expect(statement, row.put(statement), key, expected));
    }

    @FunctionalInterface
    private interface Parameters {

        /** Returns the index of the parameter that follows. */
        int set(PreparedStatement statement) throws SQLException;
    }

    /** Writes a row, and notifies listeners if there is news, unless PostgreSQL refuses that: then their poll finds it. */
    private static ReplaceOutcome write(
            Session session, String key, @Nullable Stored expected, Row row, String sql, Parameters parameters)
            throws SQLException {
        String notify = session.notification();
        String news = row.news();
        if (notify.isEmpty()
                || news.isEmpty()
                || (expected != null && news.equals(Row.of(expected).news()))) {
            return change(session, key, row.stored(), sql, parameters);
        }
        try {
            return change(session, key, row.stored(), sql + notify, statement -> {
                int index = parameters.set(statement);
                statement.setString(index, PostgresNotifications.payload(key, news));
                return index + 1;
            });
        } catch (SQLException failure) {
            boolean mayLackNotify = SqlProblem.mayLackNotify(failure);
            if (!mayLackNotify && !SqlProblem.isQueueFull(failure)) {
                throw failure;
            }
            // If it was the table that was refused, this fails, too.
            ReplaceOutcome outcome = change(session, key, row.stored(), sql, parameters);
            if (mayLackNotify) {
                session.stopNotifying();
            }
            return outcome;
        }
    }

    /**
     * Makes a change. If it changes no row, another request has changed, made or deleted that one; a deadlock that another request has won
     * means the same.
     */
    private static ReplaceOutcome change(
            Session session, String key, @Nullable Stored next, String sql, Parameters parameters) throws SQLException {
        try (PreparedStatement statement = session.prepare(sql)) {
            parameters.set(statement);
            Origin origin = session.change(statement);
            if (origin != null) {
                return new Written(next, origin);
            }
        } catch (SQLException failure) {
            if (!SqlProblem.isConflict(failure)) {
                throw failure;
            }
        }
        Read current = readOne(session, key);
        return new Conflict(current.stored(), current.origin());
    }

    /**
     * A text, with columns for people who look at the table.
     *
     * @param summary {@code null} if the text is no record of an election
     */
    private record Row(Stored stored, @Nullable RecordSummary summary) {

        static Row of(Stored stored) {
            return new Row(stored, RecordSummary.of(stored.text()).orElse(null));
        }

        /** Latest news of an election; empty for members and ledgers, of which nobody awaits news. */
        String news() {
            return summary == null ? "" : summary.latestNews();
        }

        /** Returns the index of the parameter that follows. */
        int put(PreparedStatement statement) throws SQLException {
            Holder holder = summary == null ? null : summary.holder();
            statement.setString(1, stored.text());
            statement.setLong(2, Long.parseLong(stored.version()));
            statement.setString(3, summary == null ? stored.version() : summary.latestNews());
            if (holder == null) {
                statement.setNull(4, Types.VARCHAR);
                statement.setNull(5, Types.BIGINT);
                statement.setNull(6, Types.BIGINT);
            } else {
                statement.setString(4, holder.node());
                statement.setLong(5, holder.token());
                statement.setLong(6, holder.until().toEpochMilli());
            }
            return 7;
        }
    }

    /** Returns the index of the parameter that follows. */
    private static int expect(PreparedStatement statement, int index, String key, Stored expected) throws SQLException {
        statement.setString(index, key);
        statement.setLong(index + 1, Long.parseLong(expected.version()));
        statement.setString(index + 2, expected.text());
        return index + 3;
    }

    private static Stored stored(ResultSet row) throws SQLException {
        return new Stored(row.getString("content"), row.getString("version"));
    }

    private static String next(String version) {
        return Long.toString(Long.parseLong(version) + 1);
    }

    private static Origin required(@Nullable Origin origin) throws SQLException {
        if (origin == null) {
            throw new SQLException("A query returned no row, not even the time");
        }
        return origin;
    }
}
