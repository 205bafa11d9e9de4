package dev.election.jdbc.autoconfigure;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.jdbc.JdbcVitals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Checks whether the database and its user are right for leases, and whether the lease is long enough for the network. */
public final class JdbcCheck implements Check {

    /** A larger difference of clocks makes times in logs and histories confusing. No guarantee depends on them. */
    private static final Duration APART = Duration.ofSeconds(5);

    /** A lease must be long enough for several attempts to renew it, each of two statements. */
    private static final int ROUND_TRIPS = 20;

    private final Supplier<CompletionStage<JdbcVitals>> vitals;
    private final Duration shortestLease;
    private final boolean namesSchema;
    private final boolean sharesPool;
    private final boolean listens;
    private final Supplier<OptionalInt> poolMaximum;

    /**
     * Creates the check.
     *
     * @param vitals asks the database
     * @param shortestLease the shortest lease of all elections
     * @param namesSchema whether the schema of the table is set
     * @param sharesPool whether the connections are those of a pool that the application uses, too
     * @param listens whether the elections take one more connection of a pool to listen
     * @param poolMaximum how many connections the pool has at most; empty if that is unknown, or there is no pool
     */
    public JdbcCheck(
            Supplier<CompletionStage<JdbcVitals>> vitals,
            Duration shortestLease,
            boolean namesSchema,
            boolean sharesPool,
            boolean listens,
            Supplier<OptionalInt> poolMaximum) {
        this.vitals = vitals;
        this.shortestLease = shortestLease;
        this.namesSchema = namesSchema;
        this.sharesPool = sharesPool;
        this.listens = listens;
        this.poolMaximum = poolMaximum;
    }

    @Override
    public boolean asksStore() {
        return true;
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        return vitals.get().thenApply(this::judge);
    }

    private List<Finding> judge(JdbcVitals seen) {
        List<Finding> findings = new ArrayList<>();
        if (!seen.takesWrites()) {
            findings.add(new Finding(
                    "The database takes no writes (" + seen.product()
                            + "): it is a standby, or in read-only mode, so no" + " node can lead",
                    "Connect to the primary, in read-write mode"));
        }
        if (!seen.refused().isEmpty()) {
            findings.add(new Finding(
                    "The database user may not " + String.join(", ", seen.refused())
                            + " in the table of the elections, so no node can lead",
                    "Grant the user select, insert, update and delete on that table"));
        }
        if (!seen.tellsIncarnation()) {
            findings.add(new Finding(
                    seen.product() + " does not identify its process and data to this user: after each new connection a"
                            + " node waits for a whole lease before it may lead, since the database may have lost"
                            + " acknowledged writes",
                    "See the permissions in docs/jdbc.md. If the product has no such functions, that wait remains"));
        }
        if (!seen.mayLoseCommits().isEmpty()) {
            findings.add(new Finding(
                    "The database may lose what it has committed (" + seen.mayLoseCommits()
                            + "): after a crash of one of its processes, or a failover, two nodes may lead",
                    "Switch the setting on, at least for the user of the elections"));
        }
        if (seen.isPooled() && !namesSchema) {
            findings.add(new Finding(
                    "A connection pooler is between this node and the database, and election.jdbc.table names no schema: in"
                            + " transaction mode the settings of other clients of the same pool hold for the elections."
                            + " SET search_path hides their table, so a leader loses its lease, and SET"
                            + " synchronous_commit=off lets the database lose what it has committed",
                    "Put the schema before the name in election.jdbc.table, and let election.jdbc.data-source connect with a"
                            + " database user of the elections alone, for whom the pooler has a pool of its own"));
        }
        String connections = listens ? "three connections" : "two connections";
        if (sharesPool) {
            findings.add(new Finding(
                    "The elections keep up to " + connections
                            + " of the application's DataSource, and wait for them when its pool is exhausted",
                    "Define a DataSource with " + connections
                            + " for the elections, with defaultCandidate=false, and name"
                            + " it in election.jdbc.data-source"));
        }
        OptionalInt maximum = poolMaximum.get();
        if (maximum.isPresent() && maximum.getAsInt() < (listens ? 3 : 2)) {
            findings.add(new Finding(
                    "The elections keep up to " + connections + ", but the pool of their DataSource has a maximum of "
                            + maximum.getAsInt() + ": a renewal may wait in vain for one",
                    "Give that pool " + connections + " for the elections alone"));
        }
        if (seen.roundTrip().multipliedBy(ROUND_TRIPS).compareTo(shortestLease) > 0) {
            findings.add(new Finding(
                    "A statement takes " + seen.roundTrip().toMillis() + " ms, but the shortest lease is only "
                            + shortestLease.toMillis() + " ms: ordinary delays will cost the leadership",
                    "Set election.lease to more than "
                            + seen.roundTrip().multipliedBy(ROUND_TRIPS).toMillis() + "ms"));
        }
        if (seen.clockAhead().abs().compareTo(APART) > 0) {
            findings.add(new Finding(
                    "The clock of the database is " + seen.clockAhead().abs().toSeconds() + " s "
                            + (seen.clockAhead().isNegative() ? "behind" : "ahead of")
                            + " the clock of this host: elections are safe, but times in logs and histories don't match",
                    "Synchronize both clocks by NTP"));
        }
        return findings;
    }
}
