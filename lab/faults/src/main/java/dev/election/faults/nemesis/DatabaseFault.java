package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FORGETFUL_STORE;
import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.LATE_REQUESTS;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.node.StoreAddress;
import dev.election.faults.world.Database;
import dev.election.faults.world.Member;
import dev.election.harness.PostgresServer;
import java.sql.Connection;
import java.sql.Statement;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Harm to a single PostgreSQL and to what it stores. */
public enum DatabaseFault implements Fault {
    KILL_DATABASE(
            "`kill -9` of all processes of PostgreSQL, restarted",
            Span.ANY,
            Kind.AWAY_AND_SUSPECT,
            (database, strike) -> {
                database.server().kill();
                return database.server()::restart;
            }),
    FREEZE_DATABASE("SIGSTOP of all processes of PostgreSQL", Span.ANY, Kind.AWAY, (database, strike) -> {
        database.server().freeze();
        return database.server()::thaw;
    }),
    KILL_BACKEND(
            "`kill -9` of one process of PostgreSQL, which recovers by itself",
            Span.NONE,
            Kind.AWAY,
            (database, strike) -> {
                String pid = database.server()
                        .text("select min(pid) from pg_stat_activity where " + DatabaseFault.OF_ELECTIONS);
                ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
                return Healing.NONE;
            }),
    END_CONNECTIONS("`pg_terminate_backend` of all connections", Span.NONE, Kind.AWAY, (database, strike) -> {
        database.server().execute(DatabaseFault.END_ALL);
        return Healing.NONE;
    }),
    REFUSE_LOGIN("the user may not log in, and all connections are ended", Span.ANY, Kind.AWAY, (database, strike) -> {
        PostgresServer server = database.server();
        server.execute("alter role " + StoreAddress.DATABASE_USER + " nologin", DatabaseFault.END_ALL);
        return () -> server.execute("alter role " + StoreAddress.DATABASE_USER + " login");
    }),
    LOCK_TABLE("another transaction locks the table", Span.ANY, Kind.BLOCKED, (database, strike) -> {
        Connection other = database.server().connect();
        other.setAutoCommit(false);
        try (Statement statement = other.createStatement()) {
            statement.execute("lock table election in access exclusive mode");
        }
        return other::close;
    }),
    READ_ONLY("PostgreSQL takes no writes", Span.ANY, Kind.BLOCKED, (database, strike) -> {
        PostgresServer server = database.server();
        server.execute("alter system set default_transaction_read_only = on", DatabaseFault.RELOAD);
        return () -> server.execute("alter system reset default_transaction_read_only", DatabaseFault.RELOAD);
    }),
    FLOOD(
            "another user sends 5,000 notifications, thrice a second",
            Span.PAST_THE_BOUND,
            Kind.HARMLESS,
            (database, strike) -> new Flood(database.server().connect(Database.STRANGER))::close),
    DELETE_ROWS("all rows deleted by hand", Span.NONE, Kind.FORGETFUL, (database, strike) -> {
        database.server().execute("delete from election");
        return Healing.NONE;
    }),
    RESTART_AHEAD(
            "`kill -9`, restarted with a clock that is 10 s ahead",
            Span.SHORT,
            Kind.AWAY_AND_SUSPECT,
            (database, strike) -> restartWithClock(database, 10)),
    RESTART_BEHIND(
            "`kill -9`, restarted with a clock that is 10 s behind",
            Span.SHORT,
            Kind.AWAY_AND_SUSPECT,
            (database, strike) -> restartWithClock(database, -10)),
    /** The dead leader's lease has an end that is far away by the new clock. */
    CLOCK_FAR_BEHIND(
            "`kill -9` of the leader; the clock of PostgreSQL goes back by a minute",
            Span.NONE,
            Kind.CLOCK,
            (database, strike) -> {
                List<Member> leader = Target.LEADER.in(strike.group(), strike.random());
                for (Member member : leader) {
                    member.process().kill();
                }
                database.shiftClock(-60);
                return () -> Member.restart(leader);
            });

    private static final String OF_ELECTIONS = "usename = '" + StoreAddress.DATABASE_USER + "'";
    private static final String END_ALL =
            "select pg_terminate_backend(pid) from pg_stat_activity where " + OF_ELECTIONS;
    private static final String RELOAD = "select pg_reload_conf()";

    private final String title;
    private final Span span;
    private final Kind kind;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Harm harm;

    DatabaseFault(String title, Span span, Kind kind, Harm harm) {
        this.title = title;
        this.span = span;
        this.kind = kind;
        this.harm = harm;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Span span() {
        return span;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        return switch (kind) {
            case HARMLESS -> EnumSet.noneOf(Consequence.class);
            case AWAY -> EnumSet.of(NO_ELECTION, ORPHANED_LEASE, LOST_CONNECTIONS, UNREACHABLE_LEADER);
            case AWAY_AND_SUSPECT ->
                EnumSet.of(NO_ELECTION, ORPHANED_LEASE, SUSPECT_STORE, LOST_CONNECTIONS, UNREACHABLE_LEADER);
            // What waits for a lock may still be carried out.
            case BLOCKED -> EnumSet.of(NO_ELECTION, ORPHANED_LEASE, LATE_REQUESTS, LOST_CONNECTIONS);
            case FORGETFUL -> EnumSet.of(FORGETFUL_STORE);
            // Whoever comes next cuts the lease to one that begins then.
            case CLOCK -> EnumSet.of(ORPHANED_LEASE, SUSPECT_STORE, UNREACHABLE_LEADER, FRESH_NODE);
        };
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm.of((Database) strike.group().topology(), strike);
    }

    private static Healing restartWithClock(Database database, int seconds) throws Exception {
        database.shiftClock(seconds);
        database.server().kill();
        return database.server()::restart;
    }

    private interface Harm {
        Healing of(Database database, Strike strike) throws Exception;
    }

    private enum Kind {
        HARMLESS,
        AWAY,
        AWAY_AND_SUSPECT,
        BLOCKED,
        FORGETFUL,
        CLOCK
    }
}
