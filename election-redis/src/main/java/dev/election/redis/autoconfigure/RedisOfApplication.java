package dev.election.redis.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.autoconfigure.store.MissingStore;
import dev.election.redis.client.RedisAccess;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.util.ClassUtils;

/**
 * The Redis that stores the leases: that of one connection factory of the application, with any client.
 *
 * @param beans the beans of the application, one of which is the factory
 * @param environment the properties of the application, which may contain the servers
 */
public record RedisOfApplication(ListableBeanFactory beans, Environment environment) {

    private static final String STATIC_REPLICAS = "spring.data.redis.masterreplica.nodes";

    /**
     * Returns access to it.
     *
     * @param name the bean name of the factory; the only or the primary one if there is none
     */
    public RedisAccess access(@Nullable String name) {
        RedisConnectionFactory factory = name != null ? named(name) : beans.getBean(RedisConnectionFactory.class);
        if (name == null && isSet(STATIC_REPLICAS)) {
            throw MissingStore.unusable(
                    "The elections can't follow a failover of a static primary/replica setup (" + STATIC_REPLICAS + ")",
                    "Replace " + STATIC_REPLICAS + " by a server, Sentinels or a Cluster, or name another"
                            + " RedisConnectionFactory bean in election.redis.connection-factory.");
        }
        return factory instanceof LettuceConnectionFactory lettuce
                ? like(lettuce)
                : ownClient(factory).access();
    }

    private RedisConnectionFactory named(String name) {
        String[] names =
                BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, RedisConnectionFactory.class, true, false);
        if (!Arrays.asList(names).contains(name)) {
            throw ElectionConfigurationException.ofProperty(
                    "election.redis.connection-factory",
                    "There is no RedisConnectionFactory bean named '" + name + "', but there are "
                            + Arrays.toString(names));
        }
        return beans.getBean(name, RedisConnectionFactory.class);
    }

    private static RedisAccess like(LettuceConnectionFactory factory) {
        try {
            return SpringDataClient.like(factory);
        } catch (IllegalArgumentException unsupported) {
            throw MissingStore.unusable(
                    String.valueOf(unsupported.getMessage()),
                    "Create the LettuceConnectionFactory with a server, Sentinels or a Cluster and a"
                            + " LettuceClientConfiguration, or name another RedisConnectionFactory bean in"
                            + " election.redis.connection-factory.",
                    unsupported);
        }
    }

    private OwnClient ownClient(RedisConnectionFactory factory) {
        if (!ClassUtils.isPresent(
                "org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails",
                getClass().getClassLoader())) {
            throw MissingStore.unusable(
                    "The connection factory " + factory.getClass().getName()
                            + " is not one of Lettuce, and without spring-boot-data-redis the elections can't determine its"
                            + " Redis servers",
                    "Add spring-boot-starter-data-redis, or define a LettuceConnectionFactory bean and name it in"
                            + " election.redis.connection-factory.");
        }
        return new OwnClient(factory, beans, environment);
    }

    private boolean isSet(String list) {
        return environment.containsProperty(list) || environment.containsProperty(list + "[0]");
    }
}
