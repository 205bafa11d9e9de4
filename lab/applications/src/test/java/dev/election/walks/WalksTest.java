package dev.election.walks;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.WalkedApplication;
import com.example.WalkedApplication.Work;
import dev.election.Abdication;
import dev.election.Election;
import dev.election.Elections;
import dev.election.harness.RedisBinary;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisSettings;
import dev.election.harness.Wait;
import dev.election.members.AskReply;
import dev.election.members.Members;
import dev.election.members.NodeMessages;
import dev.election.members.Recipient;
import dev.election.testing.Excluded;
import dev.election.testing.RealTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/**
 * Counts the classes of the library through which five calls go in a whole application on a Redis, with all that they set off within a
 * moment. A walk is repeated, and a class counts that each round has: a heartbeat that falls into one of them does not. The leases are so
 * long that nothing else goes on.
 */
@RealTime
class WalksTest {

    private static final Path LISTS = Path.of("target", "walks");
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration MOMENT = Duration.ofSeconds(1);
    private static final int ROUNDS = 2;

    private final RedisProcess redis = new RedisProcess(RedisSettings.of(RedisBinary.REDIS_7_0));
    private final List<ConfigurableApplicationContext> nodes = new ArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeAll
    static void record() throws Exception {
        Recorder.install();
        Files.createDirectories(LISTS);
    }

    @AfterEach
    void close() {
        nodes.forEach(ConfigurableApplicationContext::close);
        redis.close();
    }

    @Test
    void from_a_grant_to_a_guarded_call() throws Exception {
        ConfigurableApplicationContext node = leader();
        Election election = election(node);
        count(
                "grant",
                () -> election.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofSeconds(4)))
                        .toCompletableFuture()
                        .join(),
                () -> {
                    assertThat(election.awaitLeadership(PATIENCE)).isTrue();
                    node.getBean(Work.class).guarded();
                });
    }

    @Test
    void from_a_slot_to_its_scheduled_method() throws Exception {
        Work work = leader("walked.cron=*/4 * * * * *").getBean(Work.class);
        count("slot", () -> awaitRun(work), () -> awaitRun(work));
    }

    @Test
    void from_a_request_to_the_endpoint_to_the_end_of_a_leadership() throws Exception {
        ConfigurableApplicationContext node = leader();
        count(
                "delete",
                () -> assertThat(election(node).awaitLeadership(PATIENCE)).isTrue(),
                () -> assertThat(request("DELETE", node, "/actuator/leader/default"))
                        .contains("RELEASED"));
    }

    @Test
    void from_a_member_to_the_handler_of_another_and_back() throws Exception {
        NodeMessages messages = leaderAndFollower().getBean(NodeMessages.class);
        count("message", () -> {}, () -> assertThat(messages.ask(Recipient.member("node-0"), "walked", "?", PATIENCE)
                        .toCompletableFuture()
                        .join())
                .isEqualTo(new AskReply.Answered("?")));
    }

    @Test
    void from_a_request_to_a_follower_to_the_leader_and_back() throws Exception {
        ConfigurableApplicationContext follower = leaderAndFollower();
        count("forward", () -> {}, () -> assertThat(request("GET", follower, "/walked"))
                .isEqualTo("served"));
    }

    /** Runs a walk once before it is recorded, since much happens for the first time only. */
    private static void count(String name, Step before, Step walk) throws Exception {
        Set<String> classes = new TreeSet<>();
        for (int round = 0; round <= ROUNDS; round++) {
            before.run();
            Thread.sleep(MOMENT.toMillis());
            Recorder.start();
            walk.run();
            Thread.sleep(MOMENT.toMillis());
            Set<String> entered = Recorder.stop();
            if (round <= 1) {
                classes = entered;
            } else {
                classes.retainAll(entered);
            }
        }
        assertThat(classes).hasSizeGreaterThan(5);
        Files.write(LISTS.resolve(name), classes);
        System.out.printf("%4d classes: %s%n", classes.size(), name);
    }

    private static void awaitRun(Work work) {
        int before = work.runs();
        Wait.until("a run", PATIENCE, () -> work.runs() > before);
    }

    private ConfigurableApplicationContext leader(String... more) throws InterruptedException {
        ConfigurableApplicationContext node = start(more);
        assertThat(election(node).awaitLeadership(PATIENCE)).isTrue();
        return node;
    }

    private ConfigurableApplicationContext leaderAndFollower() throws InterruptedException {
        leader();
        ConfigurableApplicationContext follower = start();
        Wait.until("the follower sees the leader", PATIENCE, () -> follower.getBean(Members.class)
                .leader(Election.DEFAULT)
                .isPresent());
        return follower;
    }

    private ConfigurableApplicationContext start(String... more) {
        ConfigurableApplicationContext node = new SpringApplicationBuilder(WalkedApplication.class)
                .web(WebApplicationType.SERVLET)
                .registerShutdownHook(false)
                .properties("server.port=0", "spring.main.banner-mode=off", "spring.jmx.enabled=false")
                .properties(
                        "spring.data.redis.port=" + redis.port(), "spring.autoconfigure.exclude=" + Excluded.SECURITY)
                .properties("election.lease=2m", "election.shutdown.await=1s", "election.node.address=127.0.0.1")
                .properties("election.node.id=node-" + nodes.size(), "management.endpoint.leader.access=unrestricted")
                .properties("management.endpoints.web.exposure.include=leader")
                .properties(more)
                .run();
        nodes.add(node);
        return node;
    }

    private static Election election(ConfigurableApplicationContext node) {
        return node.getBean(Elections.class).get(Election.DEFAULT);
    }

    private String request(String method, ConfigurableApplicationContext node, String path)
            throws IOException, InterruptedException {
        String port = node.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        return client.send(request, BodyHandlers.ofString()).body();
    }

    private interface Step {
        void run() throws Exception;
    }
}
