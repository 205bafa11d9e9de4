package dev.election.autoconfigure.redis;

import dev.election.doctor.Check;
import dev.election.doctor.Finding;
import dev.election.redis.RedisVitals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

/** Whether the Redis server can be trusted with leases, and the lease with the way to it. */
public final class RedisCheck implements Check {

    /** From here on, times that machines tell each other are confusing. No promise relies on them. */
    private static final Duration APART = Duration.ofSeconds(5);

    /** A lease must outlast several attempts to renew it. */
    private static final int ROUND_TRIPS = 10;

    private final Supplier<CompletionStage<RedisVitals>> vitals;
    private final Duration shortestLease;

    /**
     * Creates the check.
     *
     * @param vitals asks the server
     * @param shortestLease the shortest lease of all elections
     */
    public RedisCheck(Supplier<CompletionStage<RedisVitals>> vitals, Duration shortestLease) {
        this.vitals = vitals;
        this.shortestLease = shortestLease;
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        return vitals.get().thenApply(this::judge);
    }

    private List<Finding> judge(RedisVitals seen) {
        List<Finding> findings = new ArrayList<>();
        seen.evictionPolicy()
                .filter(policy -> policy.startsWith("allkeys-"))
                .ifPresent(policy -> findings.add(new Finding(
                        "Redis may evict what the elections have to remember: its maxmemory-policy is " + policy,
                        "Set maxmemory-policy to noeviction or to one that begins with volatile-, or give the elections a Redis of"
                                + " their own")));
        seen.isReplica()
                .filter(isReplica -> isReplica)
                .ifPresent(isReplica -> findings.add(new Finding(
                        "Redis is a replica: leases in it are overwritten by its primary, or it refuses them",
                        "Connect to the primary, through Sentinels if it may move")));
        if (!seen.tellsIncarnation()) {
            findings.add(new Finding(
                    "Redis does not tell which process and data it answers from: after each new connection a node waits for a"
                            + " whole lease before it may lead, since Redis may have lost what it acknowledged",
                    "Grant the Redis user the command INFO"));
        }
        if (seen.isUnguardedPrimary()) {
            findings.add(new Finding(
                    "Redis has replicas and goes on accepting writes when it is cut off from them: a leader that is cut off"
                            + " together with it leads beside another one until it is reachable again",
                    "Set min-replicas-to-write to at least 1 and min-replicas-max-lag to less than the time after which a"
                            + " replica takes over (down-after-milliseconds or cluster-node-timeout)"));
        }
        if (seen.roundTrip().multipliedBy(ROUND_TRIPS).compareTo(shortestLease) > 0) {
            findings.add(new Finding(
                    "A request to Redis takes " + seen.roundTrip().toMillis() + " ms, and the shortest lease is only "
                            + shortestLease.toMillis() + " ms: leadership will be lost to ordinary delays",
                    "Set election.lease to more than "
                            + seen.roundTrip().multipliedBy(ROUND_TRIPS).toMillis() + "ms"));
        }
        if (seen.clockAhead().abs().compareTo(APART) > 0) {
            findings.add(new Finding(
                    "The clock of the Redis server is "
                            + seen.clockAhead().abs().toSeconds() + " s "
                            + (seen.clockAhead().isNegative() ? "behind" : "ahead of")
                            + " this machine's: elections are safe, but times in logs and histories don't match",
                    "Let both keep their time by NTP"));
        }
        return findings;
    }
}
