package dev.election.redis;

import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.requests.LuaScript;
import java.time.Duration;

/** A store in which whoever finds a lease extends it, whosever it is: the defect that this project replaces. */
public final class LegacyRenewal {

    private static final String FOUND = "if held and not is_mine then\n";

    private LegacyRenewal() {}

    public static RedisLeaseStore open(RedisAccess access, String keyPrefix, Duration lease) {
        String campaign = LuaScript.source("campaign");
        if (!campaign.contains(FOUND)) {
            throw new IllegalStateException("The script has changed: nothing is switched off");
        }
        String wrong = campaign.replace(FOUND, FOUND + "  extend_lease(lease)\n");
        return new RedisLeaseStore(
                access,
                lease,
                RedisSettings.of(RedisKeySpace.of(keyPrefix)),
                ScriptSet.of(name -> name.equals("campaign") ? wrong : LuaScript.source(name)));
    }
}
