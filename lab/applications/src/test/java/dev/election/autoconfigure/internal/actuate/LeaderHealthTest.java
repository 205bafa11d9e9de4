package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import dev.election.Abdication;
import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.Role;
import dev.election.testing.Excluded;
import dev.election.testing.Nodes;
import dev.election.testing.OperatedApplication;
import dev.election.testing.RealTime;
import dev.election.testing.StartableBean;
import io.micrometer.core.instrument.MeterRegistry;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Each state of health, provoked for real and read by HTTP. */
@RealTime
class LeaderHealthTest {

    private static final String OPEN = "spring.autoconfigure.exclude=" + Excluded.SECURITY;

    private OperatedApplication application = new OperatedApplication(OPEN);

    @AfterEach
    void close() {
        application.bean(HangingWork.class).end();
        application.close();
    }

    @Test
    void a_follower_is_up() {
        Election leader = application.join("first");
        Nodes.await("a leader").until(leader::isLeader);
        start();
        Nodes.await("this node follows").until(() -> own().leader().isPresent());
        assertUp("FOLLOWER");
        assertThat((String) JsonPath.read(health().body(), "$.details.default.leader"))
                .isEqualTo("first");
    }

    @Test
    void an_observer_is_up_and_shows_its_role_everywhere() {
        application = new OperatedApplication(OPEN, "election.role=observer");
        Election leader = application.join("first");
        Nodes.await("a leader").until(leader::isLeader);
        start();
        Nodes.await("this node knows the leader").until(() -> own().leader().isPresent());
        assertUp("OBSERVER");
        assertThat((String) JsonPath.read(application.get("leader").body(), "$.elections.default.role"))
                .isEqualTo("OBSERVER");
        Nodes.await("the endpoint tells of it").until(() -> lastTransition().equals("OBSERVER"));
        assertThat(observers()).isOne();
        own().setRole(AssignedRole.CANDIDATE).toCompletableFuture().join();
        assertUp("FOLLOWER");
        assertThat(observers()).isZero();
        Nodes.await("the endpoint tells of it").until(() -> lastTransition().equals("FOLLOWER"));
    }

    private String lastTransition() {
        return JsonPath.read(application.get("leader").body(), "$.elections.default.lastTransition.to");
    }

    private double observers() {
        return application
                .bean(MeterRegistry.class)
                .get("election.observer")
                .gauge()
                .value();
    }

    @Test
    void a_leader_is_up_and_so_is_one_that_has_abdicated_and_one_that_has_stopped() {
        start();
        Nodes.await("this node leads").until(own()::isLeader);
        assertUp("LEADER");
        own().abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMinutes(1)))
                .toCompletableFuture()
                .join();
        assertThat(own().role()).isEqualTo(Role.COOLING_DOWN);
        assertUp("COOLING_DOWN");
        application.bean(Elections.class).stop().toCompletableFuture().join();
        assertUp("STOPPED");
    }

    @Test
    void without_an_answer_from_the_store_for_longer_than_a_lease_it_is_down_with_the_mend_and_then_up_again() {
        application = new OperatedApplication(OPEN, "election.lease=6s");
        start();
        Nodes.await("this node leads").until(own()::isLeader);
        // The first answer over HTTP takes long.
        assertUp("LEADER");
        application.away(true);
        HttpResponse<String> known = Nodes.await("the problem is known")
                .until(this::health, health -> health.body().contains("\"problem\":\"UNREACHABLE\""));
        assertThat(known.statusCode()).as("not yet").isEqualTo(200);
        Nodes.await("down").until(() -> health().statusCode() == 503);
        assertThat((String) JsonPath.read(health().body(), "$.details.default.action"))
                .as("as the store says it")
                .isEqualTo("let it come back");
        assertThat(own().isLeader()).isFalse();
        application.away(false);
        Nodes.await("up").until(() -> health().statusCode() == 200);
    }

    @Test
    void guarded_work_that_hangs_is_not_looked_at_unless_asked_for() throws InterruptedException {
        start();
        hang();
        assertUp("LEADER");
    }

    @Test
    void a_leader_whose_guarded_work_hangs_is_down_if_that_was_asked_for() throws InterruptedException {
        application = new OperatedApplication(OPEN, "election.health.stuck-work-after=200ms");
        start();
        hang();
        Nodes.await("down").until(() -> health().statusCode() == 503);
        assertThat((String) JsonPath.read(health().body(), "$.details.default.stuckWork.call"))
                .isEqualTo("HangingWork.work");
        assertThat(own().isLeader()).isTrue();
        application.bean(HangingWork.class).end();
        Nodes.await("up").until(() -> health().statusCode() == 200);
    }

    @Test
    void a_leader_whose_guarded_work_hangs_gives_leadership_up_if_that_was_asked_for() throws InterruptedException {
        application = new OperatedApplication(
                OPEN, "election.health.stuck-work-after=200ms", "election.health.abdicate-when-stuck=true");
        start();
        Nodes.await("this node leads").until(own()::isLeader);
        Election second = application.join("second");
        hang();
        Nodes.await("the other leads").until(second::isLeader);
        assertThat(own().runningWork()).as("it still hangs").isEqualTo(1);
        Nodes.await("a follower is up").until(() -> health().statusCode() == 200);
    }

    @Test
    void a_leader_whose_bean_can_not_be_started_is_down_with_the_reason_until_it_is_started() {
        application.start(WebApplicationType.SERVLET, HangingWork.class, FailingPoller.class);
        Nodes.await("this node leads").until(own()::isLeader);
        Nodes.await("down").until(() -> health().statusCode() == 503);
        Map<String, Object> shown = JsonPath.read(health().body(), "$.details.default['bean.poller']");
        assertThat(shown)
                .containsEntry("problem", "NOT_STARTED")
                .containsEntry("detail", "java.lang.IllegalStateException: no broker")
                .containsKeys("action", "since");
        application.bean(FailingPoller.class).repair();
        Nodes.await("up").until(() -> health().statusCode() == 200);
        assertThat(health().body()).doesNotContain("bean.poller");
    }

    @Test
    void a_node_whose_runner_does_not_return_is_up_and_tells_what_it_waits_for() {
        application.start(WebApplicationType.SERVLET, HangingWork.class, AskingRunner.class);
        AskingRunner runner = application.bean(AskingRunner.class);
        assertThat((String) JsonPath.read(runner.health, "$.status")).isEqualTo("UP");
        for (String reply : List.of(
                JsonPath.parse(runner.health).read("$.details.notYetCandidate").toString(),
                JsonPath.parse(runner.all).read("$.notYetCandidate").toString(),
                JsonPath.parse(runner.unknown).read("$.notYetCandidate").toString(),
                JsonPath.parse(runner.one).read("$.notYetCandidate").toString())) {
            assertThat(reply)
                    .contains("the runner " + AskingRunner.class.getName() + ".run(LeaderHealthTest.java:")
                    .contains("election.startup.candidacy=before-runners");
        }
        assertThat(health().body()).doesNotContain("notYetCandidate");
        assertThat((String) JsonPath.read(runner.one, "$.role")).isEqualTo("STOPPED");
        assertThat(application.get("leader").body()).doesNotContain("notYetCandidate");
        assertThat(application.get("leader/early").body()).doesNotContain("notYetCandidate");
    }

    @Test
    void info_tells_of_the_node_and_its_parts() {
        application = new OperatedApplication(OPEN, "management.info.leader.enabled=true");
        start();
        Nodes.await("this node leads").until(own()::isLeader);
        String body = application.get("info").body();
        assertThat((String) JsonPath.read(body, "$.leader.node.id")).isEqualTo("app");
        assertThat((String) JsonPath.read(body, "$.leader.elections.default.role"))
                .isEqualTo("LEADER");
        assertThat((String) JsonPath.read(body, "$.leader.elections.default.leader"))
                .isEqualTo("app");
    }

    private void start() {
        application.start(WebApplicationType.SERVLET, HangingWork.class);
    }

    private void hang() throws InterruptedException {
        Nodes.await("this node leads").until(own()::isLeader);
        HangingWork work = application.bean(HangingWork.class);
        Thread thread = new Thread(work::work, "hanging");
        thread.setDaemon(true);
        thread.start();
        Nodes.await("the work runs").until(() -> own().runningWork() == 1);
    }

    private Election own() {
        return application.bean(Elections.class).get(Election.DEFAULT);
    }

    private HttpResponse<String> health() {
        return application.get("health/leader");
    }

    private void assertUp(String role) {
        HttpResponse<String> health = health();
        assertThat(health.statusCode()).as(health.body()).isEqualTo(200);
        assertThat((String) JsonPath.read(health.body(), "$.status")).isEqualTo("UP");
        assertThat((String) JsonPath.read(health.body(), "$.details.default.role"))
                .isEqualTo(role);
    }

    @Configuration(proxyBeanMethods = false)
    static class FailingPoller {

        private volatile boolean isRepaired;

        void repair() {
            isRepaired = true;
        }

        @Bean
        @LeaderOnly
        SmartLifecycle poller() {
            return new Poller();
        }

        private final class Poller extends StartableBean {

            @Override
            public void start() {
                if (!isRepaired) {
                    throw new IllegalStateException("no broker");
                }
                super.start();
            }
        }
    }

    /** Asks as an operator does while it runs. */
    static final class AskingRunner implements ApplicationRunner {

        private final OperatedApplication application;
        private String health = "";
        private String all = "";
        private String one = "";
        private String unknown = "";

        AskingRunner(OperatedApplication application) {
            this.application = application;
        }

        @Override
        public void run(ApplicationArguments arguments) {
            health = application.get("health/leader").body();
            all = application.get("leader").body();
            unknown = application.get("leader/early").body();
            application.bean(Elections.class).get("early");
            one = application.get("leader/early").body();
        }
    }

    static class HangingWork {

        private final CountDownLatch end = new CountDownLatch(1);

        public void end() {
            end.countDown();
        }

        @LeaderOnly
        public void work() {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
