package dev.election.fencing.redis;

import dev.election.FencingToken;
import dev.election.fencing.StaleLeaderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.data.redis.core.script.RedisScript;

/**
 * Writes to Redis that are refused, atomically, once a newer leader has written the same key. The newest token is kept beside the key and has
 * no end: it must not be lost before the key is. Readers need nothing of it.
 *
 * <pre>{@code
 * @Scheduled(fixedRate = 1000)
 * @LeaderOnly
 * public void publish() {
 *     fencedRedis.set("prices", prices());
 * }
 * }</pre>
 */
public final class FencedRedis {

    private final StringRedisTemplate redis;
    private final FenceKeys keys;
    private final RedisScript<String> set =
            RedisScript.of(FencedScript.text("redis.call('SET', KEYS[1], ARGV[1]) return 'done'"), String.class);

    /** The scripts that are sent in place of those of callers. */
    private final Map<RedisScript<?>, RedisScript<?>> fenced = new ConcurrentHashMap<>();

    /**
     * Asks nothing yet.
     *
     * @param redis with the keys
     * @param prefix what the keys of tokens begin with
     */
    public FencedRedis(StringRedisTemplate redis, String prefix) {
        this.redis = redis;
        this.keys = new FenceKeys(prefix);
    }

    /**
     * A gate that keeps the tokens of resources in the same Redis, under the same prefix.
     *
     * @param ahead how far a new token may be ahead of the clock of Redis
     */
    public RedisTokenGate tokenGate(Duration ahead) {
        return new RedisTokenGate(redis, keys, ahead);
    }

    /**
     * Sets a key under the token of the leader work of this thread.
     *
     * @throws StaleLeaderException if a newer leader has written it: nothing was changed
     * @throws IllegalStateException outside leader work
     */
    public void set(String key, String value) {
        set(currentToken("set the key '" + key + "'"), key, value);
    }

    /**
     * Sets a key under that token.
     *
     * @throws StaleLeaderException if a newer leader has written it: nothing was changed
     */
    public void set(FencingToken token, String key, String value) {
        run(token, set, List.of(key), value);
    }

    /**
     * Runs a script under the token of the leader work of this thread. {@code KEYS} and {@code ARGV} are those of the script.
     *
     * @param script to run; make it once, not for each call
     * @param keys of which the first is the one that is fenced
     * @param arguments of the script
     * @throws StaleLeaderException if a newer leader has written the first key: the script did not run
     * @throws IllegalStateException outside leader work
     */
    public <T extends @Nullable Object> @Nullable T execute(
            RedisScript<T> script, List<String> keys, String... arguments) {
        return execute(currentToken("run a script on " + keys), script, keys, arguments);
    }

    /**
     * Runs a script under that token, as {@link #execute(RedisScript, List, String...)} does.
     *
     * @throws StaleLeaderException if a newer leader has written the first key: the script did not run
     */
    @SuppressWarnings("unchecked")
    public <T extends @Nullable Object> @Nullable T execute(
            FencingToken token, RedisScript<T> script, List<String> keys, String... arguments) {
        if (keys.isEmpty()) {
            throw new IllegalArgumentException("A fenced script needs a key: the first one is fenced");
        }
        RedisScript<T> checked = (RedisScript<T>) fenced.computeIfAbsent(script, FencedScript::of);
        return run(token, checked, keys, arguments);
    }

    private <T extends @Nullable Object> @Nullable T run(
            FencingToken token, RedisScript<T> script, List<String> scriptKeys, String... arguments) {
        String key = scriptKeys.get(0);
        List<String> allKeys = new ArrayList<>(scriptKeys);
        allKeys.add(keys.beside(key));
        String[] all = Arrays.copyOf(arguments, arguments.length + 1);
        all[arguments.length] = token.toString();
        try {
            return redis.execute(script, allKeys, (Object[]) all);
        } catch (RuntimeException failure) {
            FencingToken newer = FencedScript.newerToken(failure);
            throw newer == null ? failure : StaleLeaderException.replaced(key, token, newer);
        }
    }

    private static FencingToken currentToken(String what) {
        return FencingToken.current()
                .orElseThrow(
                        () -> new IllegalStateException(
                                "Can't " + what
                                        + " outside leader work: this thread has no fencing token. Call it from a @LeaderOnly method or within"
                                        + " Election.runIfLeader(), open LeaderWork.onThisThread() after beginWork(), or give it a token"));
    }
}
