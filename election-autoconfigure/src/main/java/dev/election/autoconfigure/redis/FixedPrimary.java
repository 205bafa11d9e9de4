package dev.election.autoconfigure.redis;

import java.lang.reflect.Field;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** Finds out whether a factory was made from a fixed list of a primary and replicas. It shows a server on this host instead. */
final class FixedPrimary {

    private FixedPrimary() {}

    static boolean isBehind(LettuceConnectionFactory factory) {
        try {
            Field configuration = LettuceConnectionFactory.class.getDeclaredField("configuration");
            configuration.setAccessible(true);
            return configuration.get(factory) instanceof StaticMasterReplicaConfiguration;
        } catch (ReflectiveOperationException | RuntimeException otherVersion) {
            return false;
        }
    }

    static IllegalArgumentException refusal() {
        return new IllegalArgumentException("The elections can't follow the primary of a static primary/replica setup"
                + " (RedisStaticMasterReplicaConfiguration)");
    }
}
