package dev.election.legacy;

import io.lettuce.core.SetArgs;
import io.lettuce.core.api.sync.RedisCommands;
import java.time.Duration;

/**
 * The algorithm that this project replaces, as its analysis describes it, one node: run it now and then. Whoever finds a master
 * key that lives extends its life, whosever it is.
 */
final class SchedulerMasterElection {

    private static final String LOCK = "MASTER_ELECTION_LOCK";
    private static final String MASTER = "SCHEDULER_MASTER";

    private final RedisCommands<String, String> redis;
    private final String node;
    private final Duration life;

    SchedulerMasterElection(RedisCommands<String, String> redis, String node, Duration life) {
        this.redis = redis;
        this.node = node;
        this.life = life;
    }

    void masterElection() {
        if (redis.set(LOCK, node, SetArgs.Builder.nx().px(life)) == null) {
            return;
        }
        try {
            boolean nobody = redis.get(MASTER) == null || redis.pttl(MASTER) <= 0;
            if (nobody) {
                redis.set(MASTER, node, SetArgs.Builder.px(life));
            } else {
                redis.pexpire(MASTER, life);
            }
        } finally {
            redis.del(LOCK);
        }
    }

    boolean isMasterNode() {
        return node.equals(redis.get(MASTER));
    }
}
