package dev.election.jdbc.autoconfigure;

import dev.election.jdbc.JdbcTable;
import dev.election.jdbc.TableCreation;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Settings of the lease store in a database.
 *
 * @param table the name of the table, such as election, or leases.election where connections look in another schema first; applications that
 *     must not share an election need different tables
 * @param initializeSchema when to create the table if it does not exist
 * @param dataSource the name of the DataSource bean for the elections, whose pool should have two connections for them alone, or three if
 *     listen is true. Unless set, the elections open connections of their own like those of the application
 * @param pollInterval how often each node looks for messages and for changes of leader: a hand-over takes up to that long. 5 s, and 200 ms with
 *     H2 in memory, unless set
 * @param listen whether to hear of changes from PostgreSQL at once (LISTEN), on one more connection. The poll remains. Unless set, where the
 *     connections are the elections' own. With false this node does not notify others (NOTIFY), either
 */
@ConfigurationProperties("election.jdbc")
public record ElectionJdbcProperties(
        @DefaultValue("election") String table,
        @DefaultValue("embedded") TableCreation initializeSchema,
        @Nullable String dataSource,
        @Nullable Duration pollInterval,
        @Nullable Boolean listen) {

    boolean namesSchema() {
        return table.indexOf('.') >= 0;
    }

    /** The table, with its schema if there is one before its name. */
    JdbcTable qualifiedTable() {
        int dot = table.indexOf('.');
        return dot < 0 ? new JdbcTable(null, table) : new JdbcTable(table.substring(0, dot), table.substring(dot + 1));
    }
}
