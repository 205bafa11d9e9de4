package dev.election.redis.autoconfigure;

import dev.election.autoconfigure.store.MissingStore;
import dev.election.autoconfigure.store.StoreDiagnosis;
import java.util.List;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.util.ClassUtils;

/** Says why a context has no leases in Redis. Classes are referred to by name, since each of them may be missing. */
final class RedisDiagnosis implements StoreDiagnosis {

    private static final String CONNECTION_FACTORY = "org.springframework.data.redis.connection.RedisConnectionFactory";

    @Override
    public String store() {
        return ElectionRedisAutoConfiguration.STORE;
    }

    @Override
    public MissingStore missing(ListableBeanFactory beans) {
        ClassLoader loader = RedisDiagnosis.class.getClassLoader();
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
