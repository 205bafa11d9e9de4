package dev.election.jdbc;

import java.time.Duration;
import java.util.List;

/**
 * State of a database, as an examination has shown it.
 *
 * @param product the product and its version
 * @param roundTrip how long the fastest of a few requests took
 * @param clockAhead how far its clock is ahead of this machine's; negative if it is behind
 * @param takesWrites whether it accepts writes; a standby and a server in read-only mode do not
 * @param tellsIncarnation whether it tells its incarnation to this user
 * @param mayLoseCommits the setting by which it may lose what it has committed without a restart, or with a synchronous standby; empty if
 *     there is none
 * @param isPooled whether a connection pooler is between this process and the database, as far as can be told
 * @param refused the statements that the user may not run on the table
 */
public record JdbcVitals(
        String product,
        Duration roundTrip,
        Duration clockAhead,
        boolean takesWrites,
        boolean tellsIncarnation,
        String mayLoseCommits,
        boolean isPooled,
        List<String> refused) {}
