package dev.election.fencing.redis;

import dev.election.FencingToken;
import dev.election.fencing.TokenGate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/** Keeps the highest tokens in Redis, and bounds new ones by its clock. A Redis that loses its data forgets them. */
public final class RedisTokenGate implements TokenGate {

    /** Returns what is known, or what would have been plausible. */
    private static final RedisScript<String> ADMIT = RedisScript.of(
            """
            local known = redis.call('GET', KEYS[1])
            local token = tonumber(ARGV[1])
            if known and tonumber(known) > token then
              return 'stale ' .. known
            end
            local limit = math.max(tonumber(known or 0), tonumber(redis.call('TIME')[1]) * 1000 + tonumber(ARGV[2]))
            if token > limit then
              return 'implausible ' .. string.format('%.0f', limit)
            end
            redis.call('SET', KEYS[1], ARGV[1])
            return 'admitted'
            """,
            String.class);

    private final StringRedisTemplate redis;
    private final FenceKeys keys;
    private final Duration ahead;

    /**
     * Asks nothing yet.
     *
     * @param redis where the tokens are kept
     * @param prefix what their keys begin with
     * @param ahead how far a new token may be ahead of the clock of Redis
     */
    public RedisTokenGate(StringRedisTemplate redis, String prefix, Duration ahead) {
        this(redis, new FenceKeys(prefix), ahead);
    }

    RedisTokenGate(StringRedisTemplate redis, FenceKeys keys, Duration ahead) {
        this.redis = redis;
        this.keys = keys;
        this.ahead = ahead;
    }

    @Override
    public Admission admit(String resource, FencingToken token) {
        String reply = Objects.requireNonNull(redis.execute(
                ADMIT, List.of(keys.ofResource(resource)), token.toString(), Long.toString(ahead.toMillis())));
        String[] part = reply.split(" ", 2);
        return switch (part[0]) {
            case "admitted" -> new Admitted();
            case "stale" -> new Stale(new FencingToken(Long.parseLong(part[1])));
            case "implausible" -> new Implausible(Long.parseLong(part[1]));
            default -> throw new IllegalStateException("Not a reply to a token: " + reply);
        };
    }
}
