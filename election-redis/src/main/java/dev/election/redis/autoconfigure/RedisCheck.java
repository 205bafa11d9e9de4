package dev.election.redis.autoconfigure;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.redis.RedisVitals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Checks whether the settings of the Redis server are safe for leases, and whether the lease is long enough for the network. */
public final class RedisCheck implements Check {

    /** A larger difference of clocks makes times in logs and histories confusing. No guarantee depends on them. */
    private static final Duration APART = Duration.ofSeconds(5);

    /** A lease must be long enough for several attempts to renew it. */
    private static final int ROUND_TRIPS = 10;

    private final Supplier<CompletionStage<RedisVitals>> vitals;
    private final Duration shortestLease;
    private final boolean replicasAcknowledge;

    /**
     * Creates the check.
     *
     * @param vitals queries the server
     * @param shortestLease the shortest lease of all elections
     * @param replicasAcknowledge whether a lease counts only after replicas have acknowledged it
     */
    public RedisCheck(
            Supplier<CompletionStage<RedisVitals>> vitals, Duration shortestLease, boolean replicasAcknowledge) {
        this.vitals = vitals;
        this.shortestLease = shortestLease;
        this.replicasAcknowledge = replicasAcknowledge;
    }

    @Override
    public boolean asksStore() {
        return true;
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        return vitals.get().thenApply(this::judge);
    }

    private List<Finding> judge(RedisVitals seen) {
        List<Finding> findings = new ArrayList<>();
        seen.evictionPolicy()
                .filter(policy -> !policy.equals("noeviction"))
                .ifPresent(policy -> findings.add(new Finding(
                        seen.product() + " may evict keys that the elections need: its maxmemory-policy is " + policy,
                        "Set maxmemory-policy to noeviction, or use a separate Redis for the elections")));
        seen.isReplica()
                .filter(isReplica -> isReplica)
                .ifPresent(isReplica -> findings.add(new Finding(
                        "The Redis server is a replica (" + seen.product()
                                + "): it refuses to write leases, or its primary overwrites them",
                        "Connect to the primary, through Sentinels if another server may become the primary")));
        if (seen.isActiveReplica()) {
            findings.add(
                    new Finding(
                            seen.product()
                                    + " is an active replica, which accepts writes beside its peers: no node leads, since two could",
                            "Set active-replica to no, or let the elections use another Redis (election.redis.connection-factory)"));
        }
        if (seen.refusedInScripts().containsKey("TIME")) {
            findings.add(new Finding(
                    seen.product() + " refuses TIME in scripts, so no node can lead ("
                            + seen.refusedInScripts().get("TIME") + ")",
                    "Grant the Redis user the command TIME, or let the elections use another Redis"
                            + " (election.redis.connection-factory)"));
        }
        if (!seen.tellsIncarnation()) {
            String error = seen.refusedInScripts().get("INFO");
            findings.add(new Finding(
                    seen.product() + " does not identify its process and data to scripts ("
                            + (error == null ? "INFO names no run_id or no master_replid" : error)
                            + "): after each new connection a node waits for a whole lease"
                            + " before it may lead, since Redis may have lost acknowledged writes",
                    "Grant the Redis user the command INFO. If the product refuses it to scripts whatever the user may do, that"
                            + " wait remains"));
        }
        if (seen.isUnguardedPrimary() && !replicasAcknowledge) {
            findings.add(new Finding(
                    "Redis has replicas and continues to accept writes when it is partitioned from them: a leader on its side"
                            + " continues to lead beside the leader on the other side until the partition ends",
                    "Set min-replicas-to-write to at least 1 and min-replicas-max-lag to less than the time after which a"
                            + " replica takes over (down-after-milliseconds or cluster-node-timeout), or set"
                            + " election.redis.acknowledging-replicas"));
        }
        if (seen.roundTrip().multipliedBy(ROUND_TRIPS).compareTo(shortestLease) > 0) {
            findings.add(new Finding(
                    "A request to Redis takes " + seen.roundTrip().toMillis() + " ms, but the shortest lease is only "
                            + shortestLease.toMillis() + " ms: ordinary delays will cost the leadership",
                    "Set election.lease to more than "
                            + seen.roundTrip().multipliedBy(ROUND_TRIPS).toMillis() + "ms"));
        }
        if (seen.clockAhead().abs().compareTo(APART) > 0) {
            findings.add(new Finding(
                    "The clock of the Redis server is "
                            + seen.clockAhead().abs().toSeconds() + " s "
                            + (seen.clockAhead().isNegative() ? "behind" : "ahead of")
                            + " the clock of this host: elections are safe, but times in logs and histories don't match",
                    "Synchronize both clocks by NTP"));
        }
        return findings;
    }
}
