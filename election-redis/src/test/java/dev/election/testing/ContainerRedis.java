package dev.election.testing;

import io.lettuce.core.RedisURI;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.containers.GenericContainer;
import org.testcontainers.utility.DockerImageName;

/** Redis in a container, where there is an engine to run it. */
public final class ContainerRedis {

    public static final String IMAGE = "redis:7.4";

    private static final int PORT = 6379;

    private ContainerRedis() {}

    /** Whether a container engine answers. */
    public static boolean isPossible() {
        return DockerClientFactory.instance().isDockerAvailable();
    }

    @SuppressWarnings("resource")
    public static AnyRedis start() {
        GenericContainer<?> container = new GenericContainer<>(DockerImageName.parse(IMAGE)).withExposedPorts(PORT);
        container.start();
        return AnyRedis.at(RedisURI.create(container.getHost(), container.getMappedPort(PORT)), container::stop);
    }
}
