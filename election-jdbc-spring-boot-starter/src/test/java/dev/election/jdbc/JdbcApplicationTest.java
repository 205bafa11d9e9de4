package dev.election.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.LeadershipEvent;
import dev.election.fencing.Fenced;
import dev.election.fencing.StaleLeaderException;
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
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.util.ClassUtils;

/** All that works over Redis, over a database in memory. The wiring is tried in each build, by contexts without a server. */
@RealTime
@SpringBootTest(
        webEnvironment = WebEnvironment.RANDOM_PORT,
        properties = {
            "spring.datasource.url=jdbc:h2:mem:application",
            "spring.datasource.hikari.maximum-pool-size=3",
            "election.lease=5s",
            "election.node.id=node-1",
            "election.members.enabled=true",
            "management.endpoints.web.exposure.include=*",
            "management.endpoint.health.show-details=always",
            "management.endpoint.leader.access=unrestricted"
        })
class JdbcApplicationTest {

    private static final Duration SOON = Duration.ofSeconds(20);

    @Autowired
    private Elections elections;

    @Autowired
    private JdbcTemplate jdbc;

    @Autowired
    private Work work;

    @Autowired
    private LeaseStore store;

    @LocalServerPort
    private int port;

    @Test
    void a_whole_application_runs_on_its_database() throws Exception {
        assertThat(store).isInstanceOf(JdbcLeaseStore.class);
        assertThat(elections.get("reports").awaitLeadership(SOON)).isTrue();

        assertThat(work.guarded()).isEqualTo("done");
        assertThat(Work.SCHEDULED.poll(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(CountingJob.RUNS.poll(20, TimeUnit.SECONDS)).isNotNull();
        assertThat(Work.ACQUIRED.poll(20, TimeUnit.SECONDS)).isNotNull();
        work.fenced();
        assertThat(jdbc.queryForList("select resource from election_fence", String.class))
                .contains("books");

        assertThat(jdbc.queryForList("select holder from election where name = 'reports'", String.class))
                .containsExactly("node-1");
        assertThat(get("/actuator/leader")).contains("node-1", "H2 (h2:mem:application), table election");
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(get("/actuator/leader"))
                .contains("\"members\":[{"));
        assertThat(get("/actuator/health")).contains("\"leader\"").contains("\"UP\"");
        assertThat(get("/actuator/metrics/election.leader")).contains("measurements");
        assertThat(get("/actuator/leaderconsole")).contains("<!doctype html>");
        Awaitility.await().atMost(SOON).untilAsserted(() -> assertThat(
                        jdbc.queryForList("select name from election where name like 'ledger/%'", String.class))
                .isNotEmpty());
    }

    @Test
    void there_is_no_client_of_redis() {
        assertThat(List.of(
                        "io.lettuce.core.RedisClient",
                        "redis.clients.jedis.Jedis",
                        "org.springframework.data.redis.connection.RedisConnection",
                        "dev.election.redis.RedisLeaseStore"))
                .noneMatch(type -> ClassUtils.isPresent(type, JdbcApplicationTest.class.getClassLoader()));
    }

    @Test
    void a_write_of_an_earlier_leader_is_refused() throws Exception {
        jdbc.execute("create table report (id int primary key, body varchar(1000), token bigint not null)");
        jdbc.update("insert into report values (1, '', 0)");
        assertThat(elections.get("reports").awaitLeadership(SOON)).isTrue();
        work.writeFenced("first");
        work.writeWithToken("second");
        assertThat(body()).isEqualTo("second");

        // As a newer leader has it.
        jdbc.update("update election_fence set token = token + 1 where resource = 'reports'");
        jdbc.update("update report set token = token + 1");
        assertThatThrownBy(() -> work.writeFenced("late")).isInstanceOf(StaleLeaderException.class);
        assertThatThrownBy(() -> work.writeWithToken("late"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("A newer leader has already written this report");
        assertThat(body()).isEqualTo("second");
    }

    private String body() {
        return String.valueOf(jdbc.queryForObject("select body from report", String.class));
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
        Work work(JdbcTemplate jdbc) {
            return new Work(jdbc);
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
        private final JdbcTemplate jdbc;

        Work(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        @LeaderOnly("reports")
        public String guarded() {
            return "done";
        }

        @LeaderOnly(value = "reports", recoverWithin = "1m")
        @Scheduled(cron = "* * * * * *")
        public void tick() {
            SCHEDULED.add("tick");
        }

        @LeaderOnly("reports")
        @Fenced(resource = "books", election = "reports")
        @Transactional
        public List<String> fenced() {
            return jdbc.queryForList("select 'x'", String.class);
        }

        @LeaderOnly("reports")
        @Fenced(resource = "reports", election = "reports")
        @Transactional
        public void writeFenced(String body) {
            jdbc.update("update report set body = ? where id = 1", body);
        }

        @LeaderOnly("reports")
        public void writeWithToken(String body) {
            long token = FencingToken.current().orElseThrow().value();
            int rows = jdbc.update(
                    "update report set body = ?, token = ? where id = 1 and token <= ?", body, token, token);
            if (rows == 0) {
                throw new IllegalStateException("A newer leader has already written this report");
            }
        }

        @EventListener
        public void on(LeadershipEvent.Acquired event) {
            ACQUIRED.add(event);
        }
    }
}
