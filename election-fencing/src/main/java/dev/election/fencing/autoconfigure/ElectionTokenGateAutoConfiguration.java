package dev.election.fencing.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.fencing.JdbcTokenGate;
import dev.election.fencing.MemoryTokenGate;
import dev.election.fencing.TokenGate;
import dev.election.fencing.autoconfigure.ElectionFencingAutoConfiguration.FencedTable;
import dev.election.fencing.autoconfigure.ElectionFencingProperties.Gate;
import dev.election.fencing.redis.FencedRedis;
import dev.election.fencing.redis.RedisTokenGate;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.data.redis.core.StringRedisTemplate;

/** The gate of tokens, and fenced writes to Redis. */
@AutoConfiguration(
        after = ElectionFencingAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration",
            "org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration"
        })
@EnableConfigurationProperties({ElectionProperties.class, ElectionFencingProperties.class})
public final class ElectionTokenGateAutoConfiguration {

    /** Lazy: most applications receive no tokens. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    TokenGate electionTokenGate(
            ObjectProvider<TokenGateMaker> makers, ElectionFencingProperties properties, ElectionProperties elections) {
        List<TokenGateMaker> all = makers.orderedStream().toList();
        Optional<TokenGateMaker> chosen = all.stream()
                .filter(maker -> properties.gate() == Gate.AUTO || properties.gate() == maker.kind())
                .findFirst();
        return chosen.map(maker -> maker.make().get())
                .orElseGet(() -> makeOther(properties.gate(), elections.tokensAhead()));
    }

    private static TokenGate makeOther(Gate gate, Duration ahead) {
        if (gate == Gate.MEMORY) {
            return new MemoryTokenGate(ahead, InstantSource.system());
        }
        throw ElectionConfigurationException.ofProperty(
                "election.fencing.gate",
                switch (gate) {
                    case JDBC -> "The newest tokens can't be kept in the database: there is no DataSource bean";
                    case REDIS -> "The newest tokens can't be kept in Redis: there is no StringRedisTemplate bean";
                    default ->
                        "There is no DataSource and no StringRedisTemplate bean in which the newest tokens could be kept";
                });
    }

    /** In the database. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBean({DataSource.class, FencedTable.class})
    static final class Jdbc {

        @Bean
        @Order(1)
        TokenGateMaker electionJdbcTokenGate(
                ObjectProvider<FencedTable> table, ElectionFencingProperties properties, ElectionProperties elections) {
            return new TokenGateMaker(
                    Gate.JDBC,
                    () -> new JdbcTokenGate(
                            () -> table.getObject().database(),
                            properties.jdbc().lockTimeout(),
                            elections.tokensAhead(),
                            InstantSource.system()));
        }
    }

    /** In Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StringRedisTemplate.class)
    @ConditionalOnBean(StringRedisTemplate.class)
    static final class Redis {

        @Bean
        @Order(2)
        TokenGateMaker electionRedisTokenGate(
                ObjectProvider<StringRedisTemplate> redis, ElectionProperties properties, Environment environment) {
            return new TokenGateMaker(
                    Gate.REDIS,
                    () -> new RedisTokenGate(redis.getObject(), keyPrefix(environment), properties.tokensAhead()));
        }

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        FencedRedis electionFencedRedis(StringRedisTemplate redis, Environment environment) {
            return new FencedRedis(redis, keyPrefix(environment));
        }

        /** The prefix of the leases, also where another module than that of Redis keeps them. */
        private static String keyPrefix(Environment environment) {
            return Binder.get(environment)
                    .bind("election.redis.key-prefix", String.class)
                    .orElse("election");
        }
    }
}
