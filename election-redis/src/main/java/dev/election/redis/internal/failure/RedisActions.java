package dev.election.redis.internal.failure;

import dev.election.StoreProblem;

/**
 * Actions against problems with Redis, each in one sentence without a full stop.
 *
 * @param keyPrefix the name of the setting for the prefix of the keys
 * @param acknowledgingReplicas the name of the setting for the number of replicas that have to acknowledge
 */
record RedisActions(String keyPrefix, String acknowledgingReplicas) {

    static final RedisActions DEFAULT = new RedisActions("keyPrefix", "acknowledgingReplicas");

    /** The mark of an error that server.lua raises. */
    private static final String ACTIVE_REPLICA = "ACTIVEREPLICA";

    String of(StoreProblem problem, String detail, boolean isUnacknowledged) {
        return switch (problem) {
            case FORBIDDEN ->
                "the Redis user lacks a permission, or the server a command: grant the user the commands that the documentation lists, and the"
                        + " keys and channels that begin with " + keyPrefix
                        + " (ACL LOG tells what was refused), and give"
                        + " no other name to these commands (rename-command)";
            case TOO_FEW_REPLICAS ->
                isUnacknowledged
                        ? "too few replicas have acknowledged a grant or a renewal, which does not count then: check the replicas and"
                                + " the links between them and the primary; if one is gone for good, set "
                                + acknowledgingReplicas + " to the number of those that are left"
                        : "the store has too few replicas to accept writes: check its replicas, or its min-replicas-to-write";
            case BUSY ->
                "Redis is busy with a script or function: end it with SCRIPT KILL or FUNCTION KILL, and find out who runs it (SLOWLOG"
                        + " GET, busy-reply-threshold)";
            case TOO_MANY_CONNECTIONS ->
                "Redis has reached maxclients: raise it, or find out who holds so many connections (CLIENT LIST)";
            case OUT_OF_MEMORY ->
                "the store has reached its memory limit: raise maxmemory, or move the election to another Redis";
            case CLUSTER_DOWN ->
                detail.startsWith("MOVED ")
                        ? "another node of the Redis Cluster owns the keys now: it is asked next; if this goes on, check the slot assignment"
                        : "the Redis Cluster is down or has no owner for the keys: check CLUSTER INFO and the slot assignment";
            case WRONG_TYPE ->
                "a key <prefix>:{<election>}:* has a value of another type: find it with TYPE and delete it, or choose another "
                        + keyPrefix;
            case UNKNOWN ->
                detail.contains(ACTIVE_REPLICA)
                        ? "the server is an active replica of KeyDB, which accepts writes beside its peers, so that two nodes could lead:"
                                + " set active-replica to no, or let the elections use another Redis"
                        : detail.contains("TRYAGAIN") || detail.startsWith("ASK ")
                                ? "the slot of the election is being moved to another member of the Redis Cluster: wait until that is over, or end it"
                                        + " (redis-cli --cluster check, redis-cli --cluster fix)"
                                : problem.action();
            default -> problem.action();
        };
    }
}
