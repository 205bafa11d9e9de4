package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeadershipEvent;
import dev.election.harness.RedisBinary;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import dev.election.testing.StartableBean;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** A whole application that makes its beans when they are asked for: {@code spring.main.lazy-initialization=true}. */
@RealTime
class LazyApplicationTest {

    @Test
    void all_that_leadership_drives_works_in_a_lazy_application() {
        Poller poller;
        try (RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);
                ConfigurableApplicationContext context = start(redis)) {
            Elections elections = context.getBean(Elections.class);
            assertThat(elections.all())
                    .extracting(election -> election.name())
                    .as("joined without a look at the beans that are guarded")
                    .containsExactlyInAnyOrder("default", "feeds", "letters", "reports");
            assertThat(context.getBeanFactory().containsSingleton("plain"))
                    .as("the application is lazy")
                    .isFalse();
            Nodes.await("the scheduled method, the job and the listener")
                    .until(() -> RUNS.get() > 0
                            && JOBS.get() > 0
                            && HEARD.containsAll(Set.of("default", "feeds", "letters", "reports")));
            poller = context.getBean(Poller.class);
            Nodes.await("the poller").until(poller::isRunning);
            Health health = context.getBean("leaderHealthIndicator", HealthIndicator.class)
                    .health();
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails()).containsKeys("default", "feeds", "letters", "reports");
            Nodes.await("the gauge")
                    .until(() -> context.getBean(MeterRegistry.class)
                                    .get("election.leader")
                                    .tag("election", "letters")
                                    .gauge()
                                    .value()
                            == 1);
        }
        assertThat(poller.isRunning()).isFalse();
    }

    private static final AtomicInteger RUNS = new AtomicInteger();
    private static final AtomicInteger JOBS = new AtomicInteger();
    private static final Set<String> HEARD = ConcurrentHashMap.newKeySet();

    private static ConfigurableApplicationContext start(RedisServer redis) {
        return new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.NONE)
                .registerShutdownHook(false)
                .properties("spring.main.lazy-initialization=true", "spring.main.banner-mode=off")
                .properties("spring.data.redis.host=127.0.0.1", "spring.data.redis.port=" + redis.port())
                .properties("election.lease=6s")
                .run();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {

        @Bean
        Reports reports() {
            return new Reports();
        }

        @Bean
        Letters letters() {
            return new Letters();
        }

        @Bean
        @LeaderOnly("feeds")
        Poller poller() {
            return new Poller();
        }

        @Bean
        JobDetail detail() {
            return JobBuilder.newJob(CountingJob.class).storeDurably().build();
        }

        @Bean
        Trigger trigger(JobDetail detail) {
            return TriggerBuilder.newTrigger().forJob(detail).build();
        }

        @Bean
        Listener listener() {
            return new Listener();
        }

        @Bean
        StringBuilder plain() {
            return new StringBuilder();
        }
    }

    static class Reports {
        @LeaderOnly("reports")
        @Scheduled(fixedDelay = 10)
        void write() {
            RUNS.incrementAndGet();
        }
    }

    static class Letters {
        @LeaderOnly("letters")
        public void send() {}
    }

    static class Listener {
        @EventListener
        void on(LeadershipEvent.Acquired event) {
            HEARD.add(event.election());
        }
    }

    public static class CountingJob implements Job {
        @Override
        public void execute(JobExecutionContext context) {
            JOBS.incrementAndGet();
        }
    }

    static class Poller extends StartableBean {}
}
