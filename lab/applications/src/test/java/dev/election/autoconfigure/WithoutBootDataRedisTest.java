package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.Elections;
import dev.election.harness.RedisBinary;
import dev.election.testing.JavaProcess;
import dev.election.testing.KillsProcesses;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.redis.connection.RedisStandaloneConfiguration;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;

/** An application that makes its own connection factory needs no spring-boot-data-redis. */
@KillsProcesses
class WithoutBootDataRedisTest {

    @Test
    void it_leads_and_nothing_is_said_of_a_type_that_is_not_there() throws Exception {
        try (RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0)) {
            String output = JavaProcess.outputOf(
                    Application.class, List.of(Integer.toString(redis.port())), "spring-boot-data-redis");
            assertThat(output).contains("leads: true").doesNotContain("TypeNotPresentException");
            assertThat(output.lines()).noneMatch(line -> line.contains(" WARN "));
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    public static class Application {

        public static void main(String[] arguments) throws InterruptedException {
            try (ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                    .web(WebApplicationType.NONE)
                    .registerShutdownHook(false)
                    .properties("spring.main.banner-mode=off", "redis.port=" + arguments[0])
                    // A reply that a busy machine delays is no problem to tell of then.
                    .properties("election.lease=2m")
                    .run()) {
                Election election = context.getBean(Elections.class).get(Election.DEFAULT);
                System.out.println("leads: " + election.awaitLeadership(Duration.ofSeconds(20)));
            }
        }

        @Bean
        LettuceConnectionFactory connections(@Value("${redis.port}") int port) {
            return new LettuceConnectionFactory(new RedisStandaloneConfiguration("127.0.0.1", port));
        }
    }
}
