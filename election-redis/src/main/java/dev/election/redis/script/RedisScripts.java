package dev.election.redis.script;

import dev.election.redis.client.RedisAccess;
import dev.election.redis.internal.failure.Failures;
import dev.election.redis.internal.requests.LuaScript;
import dev.election.redis.internal.requests.RedisRequests;
import dev.election.store.NoAnswer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Scripts of another module of this library, which share one connection. It is opened at the first request, and again when it is lost. */
public final class RedisScripts implements AutoCloseable {

    private final RedisRequests requests;

    private RedisScripts(RedisRequests requests) {
        this.requests = requests;
    }

    /**
     * Creates the connection. Returns at once, whether Redis can be reached or not.
     *
     * @param access how to reach Redis
     * @param lease the shortest lease that depends on the replies
     * @param mayLead whether this process may hold that lease; then another connection is looked for sooner
     * @param database the number of a database; {@code null} for that of the application
     * @throws IllegalArgumentException if it is another database of a Cluster, which has one only
     */
    public static RedisScripts open(
            RedisAccess access, Duration lease, BooleanSupplier mayLead, @Nullable Integer database) {
        return new RedisScripts(
                database == null
                        ? RedisRequests.open(access, lease, mayLead)
                        : RedisRequests.open(access, lease, mayLead, database));
    }

    /** Loads a script: the resource {@code /META-INF/election/redis/<name>.lua}. */
    public Script load(String name) {
        LuaScript script = LuaScript.load(name);
        return (keys, arguments) -> requests.run(keys[0], script, keys, arguments);
    }

    /** Translates the failure of a script. */
    public static NoAnswer noAnswer(Throwable failure) {
        return Failures.noAnswer(failure);
    }

    @Override
    public void close() {
        requests.close();
    }

    /** A script, whose reply is a list of strings. */
    @FunctionalInterface
    public interface Script {

        /**
         * Runs the script. It is not sent again if the connection is lost.
         *
         * @param keys its keys, all in one slot
         * @param arguments its arguments
         */
        CompletionStage<List<String>> run(String[] keys, String... arguments);
    }
}
