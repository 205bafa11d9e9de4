package dev.election.spring.lifecycle;

import dev.election.redis.autoconfigure.ElectionRedisAutoConfiguration;
import dev.election.testing.RedisServer;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application on a real Redis. */
@Configuration(proxyBeanMethods = false)
@ImportAutoConfiguration({DataRedisAutoConfiguration.class, ElectionRedisAutoConfiguration.class})
@Import(LifecycleContext.Everything.class)
class RedisApplication {

    static ConfigurableApplicationContext run(RedisServer redis, Class<?>... more) {
        return new SpringApplicationBuilder(RedisApplication.class)
                .sources(more)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port())
                .properties("election.lease=6s", "spring.main.banner-mode=off")
                .run();
    }

    /** How many connections there are beside the one that asks. */
    static long connections(RedisServer redis) {
        return redis.call(commands -> commands.clientList().lines().count()) - 1;
    }
}
