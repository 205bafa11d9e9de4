package dev.election.autoconfigure;

import dev.election.aop.GuardReader;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/**
 * Why an application has no lease store.
 *
 * @param why what is missing
 * @param action what to do about it
 */
record MissingStore(String why, String action) {

    private static final String CONNECTION_FACTORY = "org.springframework.data.redis.connection.RedisConnectionFactory";

    /** Finds the reason in a context without a lease store. Classes are referred to by name, since each of them may be missing. */
    static MissingStore in(ListableBeanFactory beans) {
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
