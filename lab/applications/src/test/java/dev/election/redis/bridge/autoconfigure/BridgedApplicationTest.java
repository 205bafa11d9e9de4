package dev.election.redis.bridge.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.jayway.jsonpath.JsonPath;
import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.harness.RedisBinary;
import dev.election.redis.bridge.Bridge;
import dev.election.testing.Excluded;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;

/** An application with one property more, beside a scheduler whose nodes are played by hand. */
@ExtendWith(OutputCaptureExtension.class)
@RealTime
class BridgedApplicationTest {

    private static final String KEY = "SCHEDULER_MASTER";

    @AutoClose
    private static final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<ConfigurableApplicationContext> applications = new ArrayList<>();

    @AfterEach
    void close() {
        applications.forEach(ConfigurableApplicationContext::close);
        assertThat(redis.<String>call(hand -> hand.flushall())).isEqualTo("OK");
    }

    @Test
    void without_the_property_there_is_no_bridge() {
        old("node-a");
        ConfigurableApplicationContext application = start();
        assertThat(application.getBeansOfType(Bridge.class)).isEmpty();
        Nodes.await("it leads").until(() -> election(application).isLeader());
        assertThat(get(application, "electionbridge").statusCode()).isEqualTo(404);
        assertThat(delete(application, "electionbridge?master=node-a").statusCode())
                .isEqualTo(404);
        assertThat(get(application, "health").body()).doesNotContain("oldScheduler");
        assertThat(value()).isEqualTo("node-a");
    }

    @Test
    void an_old_master_is_waited_for_shown_and_taken_over_in_one_call(CapturedOutput output) {
        old("node-a");
        ConfigurableApplicationContext application = start("election.bridge.key=" + KEY);
        Bridge bridge = application.getBean(Bridge.class);
        Nodes.await("it has looked").until(() -> "node-a".equals(bridge.status().oldMaster()));
        assertThat(election(application).isLeader()).isFalse();

        String shown = get(application, "electionbridge").body();
        assertThat(text(shown, "$.election")).isEqualTo("default");
        assertThat(text(shown, "$.master")).isEqualTo("node-a");
        assertThat(text(shown, "$.state")).startsWith("waiting for the old master node-a, key renewed until 20");
        String health = get(application, "health").body();
        assertThat(text(health, "$.components.electionBridge.status")).isEqualTo("UP");
        assertThat(text(health, "$.components.electionBridge.details.oldScheduler.state"))
                .startsWith("waiting for the old master node-a");
        assertThat(output).containsOnlyOnce("waits for the old master node-a");
        assertThat(output).contains("DELETE /actuator/electionbridge?master=node-a");

        HttpResponse<String> wrong = delete(application, "electionbridge?master=node-b");
        assertThat(wrong.statusCode()).isEqualTo(409);
        assertThat(text(wrong.body(), "$.outcome")).isEqualTo("OTHER_MASTER");
        assertThat(text(wrong.body(), "$.detail")).contains("node-a");
        assertThat(value()).isEqualTo("node-a");

        HttpResponse<String> right = delete(application, "electionbridge?master=node-a");
        assertThat(right.statusCode()).as(right.body()).isEqualTo(200);
        assertThat(text(right.body(), "$.outcome")).isEqualTo("TAKEN_OVER");
        Nodes.await("it leads").until(() -> election(application).isLeader());
        assertThat(value()).isEqualTo("election:new-1");
        assertThat(text(get(application, "electionbridge").body(), "$.state"))
                .isEqualTo("this election holds the key of the old scheduler");
        assertThat(delete(application, "electionbridge?master=node-a").statusCode())
                .isEqualTo(409);
    }

    @Test
    void the_key_is_not_taken_unless_the_application_allows_it() {
        old("node-a");
        ConfigurableApplicationContext application =
                start("election.bridge.key=" + KEY, "management.endpoint.electionbridge.access=read-only");
        assertThat(get(application, "electionbridge").statusCode()).isEqualTo(200);
        assertThat(delete(application, "electionbridge?master=node-a").statusCode())
                .isEqualTo(405);
        assertThat(value()).isEqualTo("node-a");
    }

    @Test
    void an_orderly_stop_of_the_last_node_frees_the_old_key() {
        ConfigurableApplicationContext application = start("election.bridge.key=" + KEY);
        Nodes.await("it leads").until(() -> election(application).isLeader());
        assertThat(value()).isEqualTo("election:new-1");
        application.close();
        assertThat(value()).isNull();
    }

    @Test
    void settings_that_can_not_work_fail_the_start_and_name_the_property() {
        refused("election.bridge.ttl=3s", "election.bridge.ttl");
        refused("election.bridge.lock=" + KEY, "election.bridge.lock");
        refused("election.bridge.election=no name", "name of an election");
        refused("election.bridge.database=-1", "election.bridge.database");
    }

    @Test
    void a_key_of_another_type_is_a_problem_whose_action_names_the_properties(CapturedOutput output) {
        assertThat(redis.<Boolean>call(hand -> hand.hset(KEY, "x", "y"))).isTrue();
        start("election.bridge.key=" + KEY);
        Nodes.await("the problem")
                .until(() -> output.getOut().contains("correct election.bridge.key and election.bridge.lock"));
    }

    @Test
    void a_bridge_for_an_election_that_nobody_uses_is_reported(CapturedOutput output) {
        start("election.bridge.key=" + KEY, "election.bridge.election=reports");
        Nodes.await("the check").until(() -> output.getOut().contains("takes part in no election 'reports'"));
        assertThat(output).contains("election.bridge.election");
    }

    private void refused(String setting, String message) {
        assertThatThrownBy(() -> start("election.bridge.key=" + KEY, setting))
                .rootCause()
                .hasMessageContaining(message);
    }

    private ConfigurableApplicationContext start(String... properties) {
        ConfigurableApplicationContext context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .registerShutdownHook(false)
                .properties("server.port=0", "spring.main.banner-mode=off", "spring.jmx.enabled=false")
                .properties(
                        "spring.data.redis.host=127.0.0.1",
                        "spring.data.redis.port=" + redis.port(),
                        "spring.autoconfigure.exclude=" + Excluded.SECURITY)
                .properties("election.node.id=new-1", "election.lease=3s", "logging.level.dev.election=info")
                .properties(
                        "management.endpoint.electionbridge.access=unrestricted",
                        "management.endpoints.web.exposure.include=electionbridge,health",
                        "management.endpoint.health.show-details=always")
                .properties(properties)
                .run();
        applications.add(context);
        return context;
    }

    private static Election election(ConfigurableApplicationContext application) {
        return application.getBean(Elections.class).get(Election.DEFAULT);
    }

    private static void old(String master) {
        assertThat(redis.<String>call(hand -> hand.psetex(KEY, 60_000, master))).isEqualTo("OK");
    }

    private static String value() {
        return redis.call(hand -> hand.get(KEY));
    }

    private HttpResponse<String> get(ConfigurableApplicationContext application, String path) {
        return send(application, "GET", path);
    }

    private HttpResponse<String> delete(ConfigurableApplicationContext application, String path) {
        return send(application, "DELETE", path);
    }

    private HttpResponse<String> send(ConfigurableApplicationContext application, String method, String path) {
        String port = application.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private static String text(String json, String path) {
        return JsonPath.<Object>read(json, path).toString();
    }

    static class Job {
        @LeaderOnly
        public void run() {}
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Job.class)
    static class Application {}
}
