package dev.election.redis.internal.topology;

import dev.election.redis.internal.connection.Utf8;
import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.RedisURI;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.PartitionSelectorException;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.SlotHash;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.cluster.models.partitions.RedisClusterNode;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;
import java.time.Duration;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Opens connections, and hides whether a server, Sentinels or a Cluster are behind them. Blocks while it connects. */
public interface RedisConnector {

    StatefulConnection<String, String> connect();

    RedisClusterAsyncCommands<String, String> commands(StatefulConnection<String, String> connection);

    /** Returns commands to the server that owns a key, as far as is known, without redirects to another. */
    CompletionStage<RedisClusterAsyncCommands<String, String>> ownerCommands(
            StatefulConnection<String, String> connection, String key);

    StatefulRedisPubSubConnection<String, String> connectPubSub();

    /**
     * Source of the replies that show that a request for a subject can be answered. With one server any reply shows it. In a Cluster one
     * node may be dead while others answer, and which of them answers for a subject may change, so there each subject counts for itself.
     */
    String source(String subject);

    /** Node that has to answer for a key, as far as is known, over any connection. How long one node takes says nothing of another. */
    String node(StatefulConnection<String, String> connection, String key);

    /** Server that runs the scripts on a key, as far as is known. The scripts that one server has loaded are unknown to the others. */
    Object server(StatefulConnection<String, String> connection, String key);

    /** Whether a connection leads to the server to which a new one would lead. */
    default boolean isCurrent(StatefulConnection<String, String> connection) {
        return true;
    }

    /**
     * Creates the connector for a client.
     *
     * @param lease the shortest lease that depends on these connections
     */
    static RedisConnector of(AbstractRedisClient client, Duration lease) {
        if (client instanceof RedisClient single) {
            return new Single(single);
        }
        if (client instanceof RedisClusterClient cluster) {
            return new Cluster(cluster, new TopologyRefresh(cluster, lease));
        }
        throw new IllegalArgumentException("Neither a RedisClient nor a RedisClusterClient: " + client);
    }

    /** One server at a time. */
    interface OneServer extends RedisConnector {

        @Override
        default RedisClusterAsyncCommands<String, String> commands(StatefulConnection<String, String> connection) {
            return ((StatefulRedisConnection<String, String>) connection).async();
        }

        @Override
        default CompletionStage<RedisClusterAsyncCommands<String, String>> ownerCommands(
                StatefulConnection<String, String> connection, String key) {
            return CompletableFuture.completedFuture(commands(connection));
        }

        @Override
        default String source(String subject) {
            return "server";
        }

        @Override
        default String node(StatefulConnection<String, String> connection, String key) {
            return "server";
        }

        @Override
        default Object server(StatefulConnection<String, String> connection, String key) {
            return connection;
        }
    }

    /** A server. */
    record Single(RedisClient client) implements OneServer {

        @Override
        public StatefulConnection<String, String> connect() {
            return client.connect(Utf8.CODEC);
        }

        @Override
        public StatefulRedisPubSubConnection<String, String> connectPubSub() {
            return client.connectPubSub(Utf8.CODEC);
        }
    }

    /**
     * Sentinels, which are asked for the primary at each new connection.
     *
     * @param servers the server to which each connection leads, as long as somebody uses that
     */
    record ThroughSentinels(
            RedisClient client,
            Sentinels sentinels,
            Primary primary,
            Map<StatefulConnection<String, String>, ServerAddress> servers)
            implements OneServer {

        public ThroughSentinels(RedisClient client, Sentinels sentinels, Primary primary) {
            this(client, sentinels, primary, Collections.synchronizedMap(new WeakHashMap<>()));
        }

        @Override
        public StatefulConnection<String, String> connect() {
            return connect(uri -> client.connect(Utf8.CODEC, uri));
        }

        @Override
        public StatefulRedisPubSubConnection<String, String> connectPubSub() {
            return connect(uri -> client.connectPubSub(Utf8.CODEC, uri));
        }

        @Override
        public boolean isCurrent(StatefulConnection<String, String> connection) {
            ServerAddress server = servers.get(connection);
            return server != null && primary.isAt(server);
        }

        private <C extends StatefulConnection<String, String>> C connect(Function<RedisURI, C> client) {
            ServerAddress server = primary.find();
            C connection = client.apply(sentinels.server(server));
            servers.put(connection, server);
            return connection;
        }
    }

    /** A Cluster, which is asked for its nodes at each new connection: the old ones may be gone. */
    record Cluster(RedisClusterClient client, TopologyRefresh topology) implements RedisConnector {

        @Override
        public StatefulConnection<String, String> connect() {
            topology.run();
            return client.connect(Utf8.CODEC);
        }

        @Override
        public RedisClusterAsyncCommands<String, String> commands(StatefulConnection<String, String> connection) {
            return ((StatefulRedisClusterConnection<String, String>) connection).async();
        }

        /** Takes the connection by host and port, over which redirected requests go, too. */
        @Override
        public CompletionStage<RedisClusterAsyncCommands<String, String>> ownerCommands(
                StatefulConnection<String, String> connection, String key) {
            RedisClusterNode owner = owner(connection, key);
            if (owner == null) {
                return CompletableFuture.failedFuture(new PartitionSelectorException(
                        "No owner of the slot is known",
                        ((StatefulRedisClusterConnection<String, String>) connection).getPartitions()));
            }
            return ((StatefulRedisClusterConnection<String, String>) connection)
                    .getConnectionAsync(owner.getUri().getHost(), owner.getUri().getPort())
                    .thenApply(StatefulRedisConnection::async);
        }

        @Override
        public StatefulRedisPubSubConnection<String, String> connectPubSub() {
            return client.connectPubSub(Utf8.CODEC);
        }

        @Override
        public String source(String subject) {
            return subject;
        }

        @Override
        public String node(StatefulConnection<String, String> connection, String key) {
            RedisClusterNode owner = owner(connection, key);
            return owner == null ? "unknown" : owner.getNodeId();
        }

        @Override
        public Object server(StatefulConnection<String, String> connection, String key) {
            RedisClusterNode owner = owner(connection, key);
            return new Owner(connection, owner == null ? key : owner.getNodeId());
        }

        private static @Nullable RedisClusterNode owner(StatefulConnection<String, String> connection, String key) {
            return ((StatefulRedisClusterConnection<String, String>) connection)
                    .getPartitions()
                    .getMasterBySlot(SlotHash.getSlot(key));
        }

        private record Owner(StatefulConnection<String, String> connection, String node) {}
    }
}
