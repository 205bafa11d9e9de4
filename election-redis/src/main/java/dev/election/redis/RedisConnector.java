package dev.election.redis;

import io.lettuce.core.AbstractRedisClient;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulConnection;
import io.lettuce.core.api.StatefulRedisConnection;
import io.lettuce.core.cluster.RedisClusterClient;
import io.lettuce.core.cluster.api.StatefulRedisClusterConnection;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.pubsub.StatefulRedisPubSubConnection;

/** Opens connections, and hides whether a server, Sentinels or a Cluster are behind them. Blocks while it connects. */
interface RedisConnector {

    StatefulConnection<String, String> connect();

    RedisClusterAsyncCommands<String, String> commands(StatefulConnection<String, String> connection);

    StatefulRedisPubSubConnection<String, String> connectPubSub();

    static RedisConnector of(AbstractRedisClient client) {
        if (client instanceof RedisClient single) {
            return new Single(single);
        }
        if (client instanceof RedisClusterClient cluster) {
            return new Cluster(cluster);
        }
        throw new IllegalArgumentException("Neither a RedisClient nor a RedisClusterClient: " + client);
    }

    /** A server, or Sentinels, which are asked for the primary at each new connection. */
    record Single(RedisClient client) implements RedisConnector {

        @Override
        public StatefulConnection<String, String> connect() {
            return client.connect(Utf8.CODEC);
        }

        @Override
        public RedisClusterAsyncCommands<String, String> commands(StatefulConnection<String, String> connection) {
            return ((StatefulRedisConnection<String, String>) connection).async();
        }

        @Override
        public StatefulRedisPubSubConnection<String, String> connectPubSub() {
            return client.connectPubSub(Utf8.CODEC);
        }
    }

    /** A Cluster, which is asked for its nodes at each new connection: the old ones may be gone. */
    record Cluster(RedisClusterClient client) implements RedisConnector {

        @Override
        public StatefulConnection<String, String> connect() {
            client.refreshPartitions();
            return client.connect(Utf8.CODEC);
        }

        @Override
        public RedisClusterAsyncCommands<String, String> commands(StatefulConnection<String, String> connection) {
            return ((StatefulRedisClusterConnection<String, String>) connection).async();
        }

        @Override
        public StatefulRedisPubSubConnection<String, String> connectPubSub() {
            return client.connectPubSub(Utf8.CODEC);
        }
    }
}
