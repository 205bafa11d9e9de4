package dev.election.autoconfigure.redis;

import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** What a native image would leave out. */
public final class ElectionRedisRuntimeHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        hints.resources().registerPattern("META-INF/election/redis/*.lua");
        // Asked whether it was made from a fixed list of servers, which no method tells.
        hints.reflection()
                .registerTypeIfPresent(
                        classLoader,
                        "org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory",
                        MemberCategory.ACCESS_DECLARED_FIELDS);
    }
}
