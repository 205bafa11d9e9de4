package dev.election.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeadershipEvent;
import dev.election.harness.Children;
import dev.election.harness.TemporaryFolders;
import dev.election.harness.ZooKeeperServer;
import dev.election.store.LeaseStore;
import dev.election.testing.RealTime;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.ZooKeeper;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;
import org.springframework.util.ClassUtils;

/** All that works over Redis, in ZooKeeper. The wiring is tried in each build, by contexts without an application. */
@RealTime
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "election.lease=5s",
            "election.node.id=node-1",
            "election.members.enabled=true",
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.health.show-details=always",
            "management.endpoint.leader.access=unrestricted"
        })
class ZooKeeperApplicationTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    /** Stays until the end: the application releases its lease when it is closed. */
    private static final ZooKeeperServer SERVER =
            new ZooKeeperServer(Children.OF_THIS_JVM, TemporaryFolders.create("election-zookeeper"));

    @Autowired
    private Elections elections;

    @Autowired
    private Work work;

    @Autowired
    private LeaseStore store;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void ensemble(DynamicPropertyRegistry registry) {
        SERVER.start();
        registry.add("election.zookeeper.connect", SERVER::address);
    }

    @Test
    void a_whole_application_runs_in_zookeeper() throws Exception {
        assertThat(store).isInstanceOf(ZooKeeperLeaseStore.class);
        assertThat(elections.get("reports").awaitLeadership(SOON)).isTrue();

        assertThat(work.guarded()).isEqualTo("done");
        assertThat(Work.SCHEDULED.poll(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(CountingJob.RUNS.poll(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(Work.ACQUIRED.poll(20, TimeUnit.SECONDS)).isNotNull();

        assertThat(get("/actuator/leader")).contains("node-1", "ZooKeeper (" + SERVER.address() + "/election)");
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(get("/actuator/leader"))
                .contains("\"members\":[{"));
        assertThat(get("/actuator/health")).contains("\"leader\"").contains("\"UP\"");
        assertThat(get("/actuator/metrics/election.leader")).contains("measurements");
        assertThat(get("/actuator/leaderconsole")).contains("<!doctype html>");
        try (ZooKeeper client = new ZooKeeper(SERVER.address(), 10_000, event -> {})) {
            assertThat(client.getChildren("/election", false)).contains("elections", "members");
            Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(
                            client.getAllChildrenNumber("/election/ledger"))
                    .isPositive());
            assertThat(client.getEphemerals("/")).isEmpty();
        }
    }

    @Test
    void there_is_no_curator_and_no_other_store() {
        assertThat(List.of(
                        "org.apache.curator.framework.CuratorFramework",
                        "io.lettuce.core.RedisClient",
                        "dev.election.redis.RedisLeaseStore",
                        "dev.election.jdbc.JdbcLeaseStore",
                        "dev.election.kubernetes.KubernetesLeaseStore"))
                .noneMatch(type -> ClassUtils.isPresent(type, ZooKeeperApplicationTest.class.getClassLoader()));
    }

    private String get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                .build();
        return HttpClient.newHttpClient().send(request, BodyHandlers.ofString()).body();
    }

    @SpringBootApplication
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
