package dev.election.testing;

import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.sync.RedisCommands;
import java.util.function.Function;

/** A server that tests talk to by the client of the store. */
public final class RedisServer extends RedisProcess {

    private RedisServer(RedisSettings settings) {
        super(settings);
    }

    /** Starts a server and waits until it answers. */
    public static RedisServer start(RedisBinary binary, String... options) {
        return new RedisServer(RedisSettings.of(binary, options));
    }

    /** The same at that port. */
    public static RedisServer startAt(RedisBinary binary, int port, String... options) {
        return new RedisServer(RedisSettings.of(binary, options).at(port));
    }

    public RedisURI uri() {
        return Lettuce.uri(this);
    }

    /** Runs commands over a connection that is closed afterwards. */
    public <T> T call(Function<RedisCommands<String, String>, T> commands) {
        return Lettuce.call(this, commands);
    }
}
