package dev.election.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeadershipEvent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** All that works over Redis, over another store. Each starter of one has a test of it. */
@SpringBootTest(
        classes = WholeApplicationContract.Application.class,
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "election.lease=5s",
            "election.node.id=node-1",
            "election.members.enabled=true",
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.health.show-details=always",
            "management.endpoint.leader.access=unrestricted"
        })
public abstract class WholeApplicationContract {

    protected static final Duration SOON = Duration.ofSeconds(20);

    @Autowired
    protected Elections elections;

    @Autowired
    private Work work;

    @Value("${local.server.port}")
    private int port;

    /** Fails unless guards, schedules, jobs, events and endpoints work over the store, which is called so at the endpoint. */
    protected final void assertRuns(String location) throws Exception {
        assertThat(elections.get("reports").awaitLeadership(SOON)).isTrue();

        assertThat(work.guarded()).isEqualTo("done");
        assertThat(Work.SCHEDULED.poll(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(CountingJob.RUNS.poll(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(Work.ACQUIRED.poll(20, TimeUnit.SECONDS)).isNotNull();

        assertThat(get("/actuator/leader")).contains("node-1", location);
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(get("/actuator/leader"))
                .contains("\"members\":[{"));
        assertThat(get("/actuator/health")).contains("\"leader\"").contains("\"UP\"");
        assertThat(get("/actuator/metrics/election.leader")).contains("measurements");
        assertThat(get("/actuator/leaderconsole")).contains("<!doctype html>");
    }

    private String get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    @SpringBootConfiguration
    @EnableAutoConfiguration
    @EnableScheduling
    static class Application {

        @Bean
        Work work() {
            return new Work();
        }

        @Bean
        JobDetail countingJob() {
            return JobBuilder.newJob(CountingJob.class)
                    .withIdentity("counting")
                    .storeDurably()
                    .build();
        }

        @Bean
        Trigger everySecond(JobDetail countingJob) {
            return TriggerBuilder.newTrigger()
                    .forJob(countingJob)
                    .withSchedule(SimpleScheduleBuilder.repeatSecondlyForever(1))
                    .build();
        }
    }

    public static class CountingJob implements Job {

        static final BlockingQueue<String> RUNS = new LinkedBlockingQueue<>();

        @Override
        public void execute(JobExecutionContext context) {
            RUNS.add("run");
        }
    }

    public static class Work {

        static final BlockingQueue<String> SCHEDULED = new LinkedBlockingQueue<>();
        static final BlockingQueue<LeadershipEvent> ACQUIRED = new LinkedBlockingQueue<>();

        @LeaderOnly("reports")
        public String guarded() {
            return "done";
        }

        @LeaderOnly(value = "reports", recoverWithin = "1m")
        @Scheduled(cron = "* * * * * *")
        public void tick() {
            SCHEDULED.add("tick");
        }

        @EventListener
        public void on(LeadershipEvent.Acquired event) {
            ACQUIRED.add(event);
        }
    }
}
