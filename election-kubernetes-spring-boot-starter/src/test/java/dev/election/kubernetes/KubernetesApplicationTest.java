package dev.election.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.LeadershipEvent;
import dev.election.harness.StrictApiServer;
import dev.election.store.LeaseStore;
import dev.election.testing.RealTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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

/** All that works over Redis, over Leases. The wiring is tried in each build, by contexts without an application. */
@RealTime
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "POD_NAME=p-1",
            "election.kubernetes.label-pod=true",
            "election.lease=5s",
            "election.node.id=node-1",
            "election.members.enabled=true",
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.health.show-details=always",
            "management.endpoint.leader.access=unrestricted"
        })
class KubernetesApplicationTest {

    private static final Duration SOON = Duration.ofSeconds(20);
    private static final StrictApiServer SERVER = new StrictApiServer();

    @TempDir
    private static Path folder;

    @Autowired
    private Elections elections;

    @Autowired
    private Work work;

    @Autowired
    private LeaseStore store;

    @LocalServerPort
    private int port;

    @DynamicPropertySource
    static void kubeconfig(DynamicPropertyRegistry registry) throws IOException {
        SERVER.put("/api/v1/namespaces/default/pods/p-1", "{\"metadata\":{\"name\":\"p-1\"}}");
        Path file = Files.writeString(
                folder.resolve("config"),
                """
                current-context: dev
                contexts: [{name: dev, context: {cluster: c, user: u}}]
                clusters: [{name: c, cluster: {server: '%s', certificate-authority: '%s'}}]
                users: [{name: u, user: {token: admin}}]
                """
                        .formatted(SERVER.address(), SERVER.certificate()));
        registry.add("election.kubernetes.kubeconfig", file::toString);
    }

    /** The server stays: the application releases its lease when it is closed after this. */
    @AfterAll
    static void nothingWasRefused() {
        assertThat(SERVER.refusals()).isEmpty();
    }

    private static String lease(String name) {
        return SERVER.get("/apis/coordination.k8s.io/v1/namespaces/default/leases/" + name);
    }

    @Test
    void a_whole_application_runs_on_leases() throws Exception {
        assertThat(store).isInstanceOf(KubernetesLeaseStore.class);
        assertThat(elections.get("reports").awaitLeadership(SOON)).isTrue();

        assertThat(work.guarded()).isEqualTo("done");
        assertThat(Work.SCHEDULED.poll(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(CountingJob.RUNS.poll(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(Work.ACQUIRED.poll(20, TimeUnit.SECONDS)).isNotNull();

        assertThat(lease("election-reports")).contains("\"holderIdentity\":\"node-1\"", "\"leaseDurationSeconds\":5");
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(
                        SERVER.get("/api/v1/namespaces/default/pods/p-1"))
                .contains("\"election.dev/reports\":\"leader\""));
        assertThat(get("/actuator/leader")).contains("node-1", "namespace default, Leases election-*");
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(get("/actuator/leader"))
                .contains("\"members\":[{"));
        assertThat(get("/actuator/health")).contains("\"leader\"").contains("\"UP\"");
        assertThat(get("/actuator/metrics/election.leader")).contains("measurements");
        assertThat(get("/actuator/leaderconsole")).contains("<!doctype html>");
        Awaitility.await().atMost(SOON).ignoreExceptions().untilAsserted(() -> assertThat(
                        lease("election-ledger.reports"))
                .contains("\"election.dev/folder\":\"ledger\""));
    }

    @Test
    void there_is_no_client_of_kubernetes_or_of_another_store() {
        assertThat(List.of(
                        "io.fabric8.kubernetes.client.KubernetesClient",
                        "io.kubernetes.client.openapi.ApiClient",
                        "io.lettuce.core.RedisClient",
                        "dev.election.redis.RedisLeaseStore",
                        "dev.election.jdbc.JdbcLeaseStore"))
                .noneMatch(type -> ClassUtils.isPresent(type, KubernetesApplicationTest.class.getClassLoader()));
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
