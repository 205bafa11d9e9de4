package dev.election.jdbc.internal;

import dev.election.jdbc.JdbcTable;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;

/** The statements for one table of one database. A statement that reads or changes a text also returns the server's incarnation and its time. */
final class Statements {

    /**
     * PostgreSQL only warns of a write without its synchronous standbys, and does not even warn in a session that wants errors alone. The
     * setting ends with the statement.
     */
    private static final String WARN = ", set_config('client_min_messages', 'warning', true)";

    final String readOne;
    final String readAll;
    final String list;
    final String insert;
    final String update;
    final String delete;

    /** Reads the server's incarnation and its time, and no text. */
    final String origin;

    /** Suffix of an insert or update that notifies listeners; empty if the database can't. */
    final String notify;

    /** One statement of each kind that the elections need, all without an effect. */
    final List<String> withoutEffect;

    private final String poll;

    private Statements(Dialect dialect, JdbcTable table, String incarnation, String server) {
        String expressions = dialect.clock + " as clock, " + dialect.writable + " as writable, " + incarnation
                + " as incarnation, " + server + " as server";
        // Volatile expressions: evaluated once, not for each row.
        String read = "select o.clock, o.writable, o.incarnation, o.server, e.name, e.content, e.version from (select "
                + expressions + ") o left join $table e on e.name ";
        String condition = " where name = ? and version = ? and content = ?";
        String returning = dialect.returns() ? " returning " + expressions + WARN : "";
        this.readOne = in(table, read + "= ?");
        this.readAll = in(table, read + "like ? escape '!'");
        this.list = in(table, "select name from $table where name like ? escape '!'");
        this.insert = in(
                table,
                "insert into $table (content, version, news, holder, token, lease_end, name) values (?, ?, ?, ?, ?, "
                        + dialect.leaseEnd + ", ?)" + dialect.ifAbsent() + returning);
        this.update = in(
                table,
                "update $table set content = ?, version = ?, news = ?, holder = ?, token = ?, lease_end = "
                        + dialect.leaseEnd + condition + returning);
        this.delete = in(table, "delete from $table" + condition + returning);
        this.origin = in(table, "select " + expressions);
        this.notify = dialect.notification().replace("$channel", PostgresNotifications.channel(table));
        this.withoutEffect = Stream.of(
                        "select name from $table where 1 = 0",
                        "insert into $table select * from $table where 1 = 0",
                        "update $table set version = version where name = ''",
                        "delete from $table where name = ''")
                .map(statement -> in(table, statement))
                .toList();
        this.poll = in(table, "select name, news from $table where name in ");
    }

    /** Returns the statements for users with ever fewer permissions. */
    static List<Statements> of(Dialect dialect, JdbcTable table) {
        return List.of(
                new Statements(dialect, table, dialect.incarnation, dialect.server()),
                new Statements(dialect, table, "null", dialect.server()),
                new Statements(dialect, table, "null", "null"));
    }

    String poll(int keys) {
        return poll + "(" + String.join(", ", Collections.nCopies(keys, "?")) + ")";
    }

    /** Returns the pattern of the names that begin with a prefix. */
    static String pattern(String prefix) {
        return prefix.replaceAll("[!%_]", "!$0") + "%";
    }

    private static String in(JdbcTable table, String statement) {
        return statement.replace("$table", table.qualified());
    }
}
