package dev.election.autoconfigure.internal;

import dev.election.ElectionConfigurationException;
import dev.election.spring.internal.guard.GuardReader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Why an application has no lease store.
 *
 * @param why what is missing
 * @param action what to do about it
 */
public record MissingStore(String why, String action) {

    private static final String WITHOUT_REDIS =
            " Or define a LeaseStore bean of your own, or set election.enabled=false to run guarded methods on every replica.";

    private static final String CONNECTION_FACTORY = "org.springframework.data.redis.connection.RedisConnectionFactory";

    /**
     * For a Redis that the store can't use.
     *
     * @param problem why it can't, without a full stop
     * @param action what to do about it; the alternatives to Redis are added
     */
    public static ElectionConfigurationException unusable(String problem, String action) {
        return unusable(problem, action, null);
    }

    /**
     * For a Redis that the store can't use.
     *
     * @param problem why it can't, without a full stop
     * @param action what to do about it; the alternatives to Redis are added
     * @param cause what has shown it
     */
    public static ElectionConfigurationException unusable(String problem, String action, @Nullable Throwable cause) {
        return new ElectionConfigurationException(problem, action + WITHOUT_REDIS, cause);
    }

    /**
     * For guards without elections.
     *
     * @param what a sentence about the guards, without a full stop
     * @param beans the context without elections
     */
    public static ElectionConfigurationException failure(String what, ListableBeanFactory beans) {
        MissingStore missing = in(beans);
        return unusable(what + ", but no lease store to elect a leader with: " + missing.why, missing.action);
    }

    /** Finds the reason in a context without a lease store. Classes are referred to by name, since each of them may be missing. */
    public static MissingStore in(ListableBeanFactory beans) {
        if (beans.getBeanNamesForType(GuardReader.class, true, false).length == 0) {
            return new MissingStore(
                    "the auto-configuration of the elections is not part of this context",
                    "In a test of a slice add @AutoConfigureTestElections of dev.election:election-test. In an application let"
                            + " @EnableAutoConfiguration apply the auto-configuration.");
        }
        ClassLoader loader = MissingStore.class.getClassLoader();
        if (!ClassUtils.isPresent("dev.election.redis.RedisLeaseStore", loader)) {
            return new MissingStore(
                    "dev.election:election-redis is not on the class path",
                    "Add election-spring-boot-starter, which brings the store over Redis.");
        }
        if (!ClassUtils.isPresent(CONNECTION_FACTORY, loader)) {
            return new MissingStore(
                    "Spring Data Redis is not on the class path", "Add spring-boot-starter-data-redis.");
        }
        if (!ClassUtils.isPresent("io.lettuce.core.RedisClient", loader)) {
            return new MissingStore(
                    "io.lettuce:lettuce-core is not on the class path",
                    "Add io.lettuce:lettuce-core. The elections create their own client with it; the application may"
                            + " continue to use another client.");
        }
        List<String> factories = List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                beans, ClassUtils.resolveClassName(CONNECTION_FACTORY, loader), true, false));
        return factories.isEmpty()
                ? new MissingStore(
                        "there is no RedisConnectionFactory bean",
                        "Let Spring Boot create one (spring-boot-starter-data-redis and DataRedisAutoConfiguration), or"
                                + " define one.")
                : new MissingStore(
                        "none of the RedisConnectionFactory beans " + factories + " is the primary one",
                        "Mark one of them @Primary, or name one in election.redis.connection-factory.");
    }
}
