package dev.election.redis.autoconfigure;

import dev.election.autoconfigure.store.MissingStore;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.springframework.boot.data.redis.autoconfigure.DataRedisConnectionDetails;
import org.springframework.data.redis.connection.NamedNode;
import org.springframework.data.redis.connection.RedisClusterConfiguration;
import org.springframework.data.redis.connection.RedisConfiguration;
import org.springframework.data.redis.connection.RedisNode;
import org.springframework.data.redis.connection.RedisPassword;
import org.springframework.data.redis.connection.RedisSentinelConfiguration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.jedis.JedisConnectionFactory;

/** Reads the Redis servers and the credentials of an application from its connection factory or from Spring Boot. */
final class RedisServers {

    private RedisServers() {}

    static RedisConfiguration of(JedisConnectionFactory jedis) {
        RedisConfiguration servers = jedis.getClusterConfiguration();
        if (servers == null) {
            servers = jedis.getSentinelConfiguration();
        }
        if (servers == null) {
            servers = jedis.getStandaloneConfiguration();
        }
        return Objects.requireNonNull(servers);
    }

    static RedisConfiguration of(DataRedisConnectionDetails details) {
        if (details.getSentinel() != null) {
            return sentinels(details, details.getSentinel());
        }
        if (details.getCluster() != null) {
            return cluster(details, details.getCluster());
        }
        if (details.getStandalone() != null) {
            return standalone(details, details.getStandalone());
        }
        throw MissingStore.unusable(
                "The bean of type " + details.getClass().getName()
                        + " names neither a server nor Sentinels nor a Cluster",
                "Let the bean name one of them, or define a LettuceConnectionFactory bean and name it in"
                        + " election.redis.connection-factory.");
    }

    /** For the log. */
    static String describe(RedisConfiguration servers) {
        if (servers instanceof RedisSentinelConfiguration sentinels) {
            return "the primary " + name(sentinels) + " of the Sentinels " + addresses(sentinels.getSentinels());
        }
        if (servers instanceof RedisClusterConfiguration cluster) {
            return "the Cluster of " + addresses(cluster.getClusterNodes());
        }
        if (servers instanceof RedisConfiguration.DomainSocketConfiguration socket) {
            return socket.getSocket();
        }
        return RedisConfiguration.getHostOrElse(servers, () -> "") + ":"
                + RedisConfiguration.getPortOrElse(servers, () -> 0);
    }

    private static String name(RedisSentinelConfiguration sentinels) {
        NamedNode primary = sentinels.getMaster();
        return primary == null ? "" : String.valueOf(primary.getName());
    }

    private static String addresses(Collection<RedisNode> nodes) {
        return nodes.stream().map(RedisNode::asString).collect(Collectors.joining(", "));
    }

    private static RedisConfiguration sentinels(
            DataRedisConnectionDetails details, DataRedisConnectionDetails.Sentinel named) {
        RedisSentinelConfiguration sentinels = new RedisSentinelConfiguration();
        sentinels.master(named.getMaster());
        sentinels.setSentinels(nodes(named.getNodes()));
        sentinels.setSentinelUsername(named.getUsername());
        sentinels.setSentinelPassword(RedisPassword.of(named.getPassword()));
        sentinels.setUsername(details.getUsername());
        sentinels.setPassword(RedisPassword.of(details.getPassword()));
        sentinels.setDatabase(named.getDatabase());
        return sentinels;
    }

    private static RedisConfiguration cluster(
            DataRedisConnectionDetails details, DataRedisConnectionDetails.Cluster named) {
        RedisClusterConfiguration cluster = new RedisClusterConfiguration();
        cluster.setClusterNodes(nodes(named.getNodes()));
        cluster.setUsername(details.getUsername());
        cluster.setPassword(RedisPassword.of(details.getPassword()));
        return cluster;
    }

    private static RedisConfiguration standalone(
            DataRedisConnectionDetails details, DataRedisConnectionDetails.Standalone named) {
        RedisStandaloneConfiguration server = new RedisStandaloneConfiguration(named.getHost(), named.getPort());
        server.setUsername(details.getUsername());
        server.setPassword(RedisPassword.of(details.getPassword()));
        server.setDatabase(named.getDatabase());
        return server;
    }

    private static List<RedisNode> nodes(List<DataRedisConnectionDetails.Node> nodes) {
        return nodes.stream()
                .map(node -> new RedisNode(node.host(), node.port()))
                .toList();
    }
}
