package dev.election.jdbc;

import dev.election.support.ReadableDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Settings of the store.
 *
 * @param table where the records are
 * @param creation when to create it
 * @param pollInterval how often each process looks for messages and for changes of leader: a hand-over takes up to that long;
 *     {@code null} for 5 s, and 200 ms with a database in memory
 * @param listen whether to listen for notifications of PostgreSQL too, on one more connection; {@code null} for yes, unless the connections are
 *     those of a {@code DataSource}. Only with {@code false} changes do not notify others
 * @param history how many past leaderships of each election are kept, 0 for none
 * @param names by which messages call these settings
 */
public record JdbcSettings(
        JdbcTable table,
        TableCreation creation,
        @Nullable Duration pollInterval,
        @Nullable Boolean listen,
        int history,
        Names names) {

    /** The settings unless others are given. */
    public static final JdbcSettings DEFAULT = new JdbcSettings(JdbcTable.DEFAULT, TableCreation.EMBEDDED, null, 100);

    private static final Duration SHORTEST = Duration.ofMillis(50);

    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** Creates settings that leave open whether to listen. */
    public JdbcSettings(JdbcTable table, TableCreation creation, @Nullable Duration pollInterval, int history) {
        this(table, creation, pollInterval, null, history);
    }

    /** Creates settings with the names that they have here. */
    public JdbcSettings(
            JdbcTable table,
            TableCreation creation,
            @Nullable Duration pollInterval,
            @Nullable Boolean listen,
            int history) {
        this(table, creation, pollInterval, listen, history, Names.DEFAULT);
    }

    public JdbcSettings {
        if (pollInterval != null && (pollInterval.compareTo(SHORTEST) < 0 || pollInterval.compareTo(LONGEST) > 0)) {
            throw new IllegalArgumentException("The poll interval must lie between " + ReadableDuration.of(SHORTEST)
                    + " and " + ReadableDuration.of(LONGEST) + ", but is " + ReadableDuration.of(pollInterval));
        }
    }

    /**
     * Names of the settings in messages, such as those of properties.
     *
     * @param table the name of the table
     * @param creation when to create it
     */
    public record Names(String table, String creation) {

        /** The names in this API. */
        public static final Names DEFAULT = new Names("table", "creation");
    }
}
