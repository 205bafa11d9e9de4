package dev.election.redis;

import dev.election.testing.AnyRedis;
import dev.election.testing.ContainerRedis;
import dev.election.testing.OtherServers;
import io.lettuce.core.RedisURI;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.AfterParameterizedClassInvocation;
import org.junit.jupiter.params.BeforeParameterizedClassInvocation;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The contract on every Redis that is at hand beside those that come with the build: the server that
 * {@code -Delection.test.redis=redis://...} names, and a container if an engine answers. What is not at hand is not in the list,
 * so nothing is ever skipped.
 */
@ParameterizedClass(name = "{0}", allowZeroInvocations = true)
@MethodSource("servers")
@OtherServers
class StoreOnOtherRedisTest extends RedisContract {

    @Parameter
    Supplier<AnyRedis> redis;

    static Stream<Named<Supplier<AnyRedis>>> servers() {
        List<Named<Supplier<AnyRedis>>> servers = new ArrayList<>();
        String external = System.getProperty("election.test.redis", "");
        if (!external.isBlank()) {
            servers.add(Named.of("the server of election.test.redis", () -> AnyRedis.at(RedisURI.create(external))));
        }
        if (ContainerRedis.isPossible()) {
            servers.add(Named.of(ContainerRedis.IMAGE + " in a container", ContainerRedis::start));
        }
        System.out.println("The lease store contract runs on Redis 7.0, Redis 6.2, a Cluster and "
                + servers.stream().map(Named::getName).toList());
        return servers.stream();
    }

    @BeforeParameterizedClassInvocation
    void start() {
        open(redis.get());
    }

    @AfterParameterizedClassInvocation
    void stop() {
        close();
    }
}
