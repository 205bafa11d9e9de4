package dev.election.fencing.redis;

import dev.election.fencing.TokenGate;
import dev.election.fencing.TokenGateContract;
import dev.election.harness.RedisBinary;
import dev.election.testing.RedisServer;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInstance;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.data.redis.core.StringRedisTemplate;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class RedisTokenGateTest extends TokenGateContract {

    private RedisServer server;
    private LettuceConnectionFactory connections;

    @BeforeAll
    void start() {
        server = RedisServer.start(RedisBinary.REDIS_6_2);
        connections = new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", server.port()));
        connections.afterPropertiesSet();
        connections.start();
    }

    @AfterAll
    void stop() {
        connections.destroy();
        server.close();
    }

    @BeforeEach
    void empty() {
        server.call(commands -> commands.flushall());
    }

    @Override
    protected TokenGate gate(Duration ahead) {
        return new RedisTokenGate(new StringRedisTemplate(connections), "election", ahead);
    }
}
