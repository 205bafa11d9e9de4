package dev.election.fencing.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.fencing.JdbcTokenGate;
import dev.election.fencing.MemoryTokenGate;
import dev.election.fencing.TokenGate;
import dev.election.fencing.autoconfigure.ElectionFencingAutoConfiguration.FencedTable;
import dev.election.fencing.autoconfigure.ElectionFencingProperties.Gate;
import dev.election.fencing.redis.FencedRedis;
import java.time.Duration;
import java.time.InstantSource;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
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
            ConfigurableListableBeanFactory beans,
            ObjectProvider<FencedTable> table,
            ObjectProvider<FencedRedis> redis,
            ElectionFencingProperties properties,
            ElectionProperties elections) {
        Gate gate = properties.gate();
        Duration ahead = elections.tokensAhead();
        if ((gate == Gate.AUTO || gate == Gate.JDBC) && has(beans, DataSource.class) && has(beans, FencedTable.class)) {
            return new JdbcTokenGate(
                    () -> table.getObject().database(), properties.jdbc().lockTimeout(), ahead, InstantSource.system());
        }
        if ((gate == Gate.AUTO || gate == Gate.REDIS) && has(beans, FencedRedis.class)) {
            return redis.getObject().tokenGate(ahead);
        }
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

    private static boolean has(ListableBeanFactory beans, Class<?> type) {
        return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type).length > 0;
    }

    /** In Redis. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(StringRedisTemplate.class)
    @ConditionalOnBean(StringRedisTemplate.class)
    static final class Redis {

        @Bean
        @Lazy
        @ConditionalOnMissingBean
        FencedRedis electionFencedRedis(StringRedisTemplate redis, Environment environment) {
            // The prefix of the leases, also where another module than that of Redis keeps them.
            String prefix = Binder.get(environment)
                    .bind("election.redis.key-prefix", String.class)
                    .orElse("election");
            return new FencedRedis(redis, prefix);
        }
    }
}
