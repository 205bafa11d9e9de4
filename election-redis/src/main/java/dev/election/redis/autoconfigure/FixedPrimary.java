package dev.election.redis.autoconfigure;

import java.lang.reflect.Field;
import org.springframework.data.redis.connection.RedisConfiguration.StaticMasterReplicaConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/**
 * Detects a connection factory that was created from a fixed list of a primary and replicas.
 *
 * <p>Uses reflection, since Spring Data Redis (checked up to 4.1) has no public way: the factory answers whether it uses Sentinels, a
 * Cluster or a socket, but not this, and its host, port and standalone configuration are then the defaults, which may be another server.
 * Its connections are of another type, but to open one the server has to be up. {@code ApplicationAccessTest} fails if a version renames
 * the field.
 */
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
        return new IllegalArgumentException("The elections can't follow a failover of a static primary/replica setup"
                + " (RedisStaticMasterReplicaConfiguration)");
    }
}
