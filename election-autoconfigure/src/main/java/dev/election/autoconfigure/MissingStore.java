package dev.election.autoconfigure;

import dev.election.aop.GuardReader;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Why an application has no lease store, and what gives it one.
 *
 * @param why what is missing
 * @param action what to do
 */
record MissingStore(String why, String action) {

    private static final String CONNECTION_FACTORY = "org.springframework.data.redis.connection.RedisConnectionFactory";

    /** Looks around in a context that has none. Classes are named only: none of them need be there. */
    static MissingStore in(ListableBeanFactory beans) {
        if (beans.getBeanNamesForType(GuardReader.class, true, false).length == 0) {
            return new MissingStore(
                    "the auto-configuration of the elections is not part of this context",
                    "In the test of a slice add @AutoConfigureTestElections of dev.election:election-test; in an application let"
                            + " @EnableAutoConfiguration apply it.");
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
                    "Add io.lettuce:lettuce-core, of which the elections make a client of their own; the application may"
                            + " go on to use another client.");
        }
        List<String> factories = List.of(BeanFactoryUtils.beanNamesForTypeIncludingAncestors(
                beans, ClassUtils.resolveClassName(CONNECTION_FACTORY, loader), true, false));
        return factories.isEmpty()
                ? new MissingStore(
                        "there is no RedisConnectionFactory bean",
                        "Let Spring Boot make one (spring-boot-starter-data-redis and DataRedisAutoConfiguration), or"
                                + " define one.")
                : new MissingStore(
                        "none of the RedisConnectionFactory beans " + factories + " is the primary one",
                        "Mark one of them @Primary, or name one in election.redis.connection-factory.");
    }
}
