package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import com.jayway.jsonpath.JsonPath;
import dev.election.Abdication;
import dev.election.AbdicationRequest;
import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.LeaderWork;
import dev.election.Role;
import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.Transition;
import dev.election.jobs.history.JobHistory;
import dev.election.testing.Excluded;
import dev.election.testing.Nodes;
import dev.election.testing.OperatedApplication;
import dev.election.testing.RealTime;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.springframework.boot.WebApplicationType;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** The endpoint by real HTTP, on both kinds of server. The application that is asked follows; another node leads. */
@ParameterizedClass(name = "{0}")
@EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE")
@RealTime
class LeaderEndpointTest {

    private static final String[] OPEN = {
        "management.endpoint.leader.access=unrestricted", "spring.autoconfigure.exclude=" + Excluded.SECURITY
    };

    @Parameter
    WebApplicationType kind;

    @AutoClose
    private OperatedApplication application = new OperatedApplication(OPEN);

    private Election leader;

    @Test
    void shows_this_node_and_all_its_elections_from_memory() {
        follow();
        HttpResponse<String> reply = application.get("leader");
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(text(reply, "$.node.id")).isEqualTo("app");
        assertThat(text(reply, "$.node.address")).matches("http://app:\\d+");
        assertThat(text(reply, "$.node.metadata.zone")).isEqualTo("eu-1");
        assertThat(text(reply, "$.elections.default.role")).isEqualTo("FOLLOWER");
        assertThat(text(reply, "$.elections.default.leader.node")).isEqualTo("first");
        assertThat(read(reply, "$.elections.default.leaderships")).isNull();
        assertThat(list(reply, "$.elections.default.freshness.fromCache")).contains("role", "leader");
        assertThat(read(reply, "$.elections.default.freshness.storeReadAt")).isNull();
    }

    @Test
    void shows_one_election_as_the_store_has_it_now() {
        follow();
        HttpResponse<String> reply = application.get("leader/default");
        assertThat(reply.statusCode()).isEqualTo(200);
        assertThat(text(reply, "$.role")).isEqualTo("FOLLOWER");
        assertThat(text(reply, "$.leader.node")).isEqualTo("first");
        assertThat(text(reply, "$.leader.address")).isEqualTo("first:80");
        long token = leader.leadership().orElseThrow().token().value();
        assertThat(Long.parseLong(text(reply, "$.leader.token"))).isEqualTo(token);
        assertThat(duration(text(reply, "$.leader.leaseRemaining")))
                .isPositive()
                .isLessThanOrEqualTo(OperatedApplication.LEASE);
        assertThat(text(reply, "$.lastTransition.to")).isEqualTo("FOLLOWER");
        assertThat(text(reply, "$.lastTransition.reason")).isEqualTo("FOLLOWS");
        assertThat(Instant.parse(text(reply, "$.freshness.storeReadAt"))).isAfter(Instant.EPOCH);
        assertThat(list(reply, "$.freshness.fromStore")).containsExactly("leader", "leaderships");
        assertThat(text(reply, "$.leaderships[0].node")).isEqualTo("first");
        assertThat(read(reply, "$.leaderships[0].until")).isNull();
    }

    @Test
    void a_group_of_partitions_is_one_entry_and_each_partition_an_election() {
        application = new OperatedApplication(
                "spring.autoconfigure.exclude=" + Excluded.SECURITY, "election.partitions.orders.count=3");
        application.start(kind);
        await("all of them")
                .until(() -> application.get("leader").body().contains("\"app\":[0,1,2]")
                        && application.get("leader").body().contains("\"candidateIn\":[]"));
        HttpResponse<String> all = application.get("leader");
        assertThat(read(all, "$.elections"))
                .asInstanceOf(InstanceOfAssertFactories.MAP)
                .containsOnlyKeys("default");
        assertThat(read(all, "$.partitions"))
                .isEqualTo(Map.of(
                        "orders",
                        Map.of("count", 3, "leaders", Map.of("app", List.of(0, 1, 2)), "withoutLeader", List.of())));
        HttpResponse<String> group = application.get("leader/orders");
        assertThat(read(group, "$")).isEqualTo(read(all, "$.partitions.orders"));
        assertThat(text(application.get("leader/orders.2"), "$.leader.node")).isEqualTo("app");
        assertThat(list(application.get("leader/unknown"), "$.elections")).containsExactly("default", "orders.*");
        assertThat(list(all, "$.members[0].leads")).contains("orders.0", "orders.1", "orders.2");

        application
                .bean(Elections.class)
                .get("orders.1")
                .abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMinutes(1)))
                .toCompletableFuture()
                .join();
        await("one without a leader")
                .until(() -> application.get("leader").body().contains("\"withoutLeader\":[1]"));
    }

    @Test
    void a_member_names_a_group_in_which_it_is_a_candidate_once() {
        application = new OperatedApplication(
                "spring.autoconfigure.exclude=" + Excluded.SECURITY,
                "election.partitions.orders.count=3",
                "election.role=observer");
        application.start(kind);
        await("its roles")
                .until(() -> application.get("leader").body().contains("\"observes\":[\"default\",\"orders.*\"]"));
    }

    @Test
    void the_answers_have_the_shape_that_is_documented() throws IOException {
        application = new OperatedApplication(
                "spring.autoconfigure.exclude=" + Excluded.SECURITY, "election.members.enabled=true");
        follow(OneFinding.class);
        await("the members and the check")
                .until(() ->
                        application.get("leader").body().matches("(?s).*\"complete\":true.*\"findings\":\\[\\{.*"));
        leader.requestAbdication(AbdicationRequest.of(Abdication.to("app")))
                .toCompletableFuture()
                .join();
        HttpResponse<String> all = application.get("leader");
        assertThat(shape(all.body())).isEqualTo(shape(documented("`GET /actuator/leader` on a follower")));
        HttpResponse<String> one = application.get("leader/default");
        assertThat(shape(one.body())).isEqualTo(shape(documented("`GET /actuator/leader/default` on the same node")));
        assertThat(list(one, "$.leaderships")).hasSize(2);
    }

    @Test
    void whoever_accepts_an_older_answer_shares_a_read_of_the_store() {
        follow();
        String readAt = text(application.get("leader/default?maxAge=1m"), "$.freshness.storeReadAt");
        assertThat(text(application.get("leader/default?maxAge=1m"), "$.freshness.storeReadAt"))
                .isEqualTo(readAt);
        await("a later time of the store")
                .until(() -> !text(application.get("leader/default"), "$.freshness.storeReadAt")
                        .equals(readAt));
        assertThat(application.get("leader/default/jobs?maxAge=1m").statusCode())
                .isEqualTo(200);
        for (String wrong : List.of("maxAge=61s", "maxAge=soon", "maxAge=-1s")) {
            for (String path : List.of("leader/default?", "leader/default/jobs?")) {
                HttpResponse<String> refused = application.get(path + wrong);
                assertThat(refused.statusCode()).as(path + wrong).isEqualTo(400);
                assertThat(text(refused, "$.error")).startsWith("maxAge:");
            }
        }
    }

    @Test
    void a_read_of_the_store_is_not_shared_once_this_node_knows_another_leader() {
        follow();
        assertThat(text(application.get("leader/default?maxAge=1m"), "$.leader.node"))
                .isEqualTo("first");
        leader.requestAbdication(AbdicationRequest.of(Abdication.to("app")))
                .toCompletableFuture()
                .join();
        await("the node to know").until(() -> text(application.get("leader"), "$.elections.default.leader.node")
                .equals("app"));
        assertThat(text(application.get("leader/default?maxAge=1m"), "$.leader.node"))
                .isEqualTo("app");
    }

    @Test
    void a_history_that_the_caller_knows_is_not_sent_again() {
        follow();
        String version = text(application.get("leader/default"), "$.historyVersion");
        HttpResponse<String> same = application.get("leader/default?knownHistory=" + version);
        assertThat(read(same, "$.leaderships")).isNull();
        assertThat(text(same, "$.historyVersion")).isEqualTo(version);
        assertThat(text(same, "$.leader.node")).isEqualTo("first");

        leader.abdicate().toCompletableFuture().join();
        HttpResponse<String> changed = application.get("leader/default?knownHistory=" + version);
        assertThat(list(changed, "$.leaderships")).isNotEmpty();
        assertThat(text(changed, "$.historyVersion")).isNotEqualTo(version);
    }

    @Test
    void a_store_that_does_not_answer_is_shown_with_what_this_node_knows() {
        follow();
        application.away(true);
        await("the incident").until(() -> application.get("leader").body().contains("\"incident\""));
        HttpResponse<String> all = application.get("leader");
        assertThat(text(all, "$.elections.default.incident.problem")).isEqualTo("UNREACHABLE");
        assertThat(text(all, "$.elections.default.incident.action")).isEqualTo("let it come back");
        assertThat(text(application.get("leader/default"), "$.freshness.problem"))
                .contains("away");
    }

    @Test
    void shows_the_runs_of_jobs_of_all_nodes() {
        follow();
        JobHistory history = application.bean(JobHistory.class);
        Instant slot = Instant.parse("2026-06-01T12:00:00Z");
        FencingToken token = leader.leadership().orElseThrow().token();
        history.begin("default", "billing", slot, token).end(null);
        history.begin("default", "reports", null, token).end(new IllegalStateException("not shown"));
        history.begin("default", "reports", null, token);

        HttpResponse<String> reply = application.get("leader/default/jobs");
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(list(reply, "$.runs[*].job")).containsExactly("reports", "reports", "billing");
        assertThat(list(reply, "$.runs[*].outcome")).containsExactly("RUNNING", "FAILED", "DONE");
        assertThat(read(reply, "$.runs[0].endedAt")).isNull();
        assertThat(text(reply, "$.runs[1].failure")).isEqualTo("java.lang.IllegalStateException");
        assertThat(text(reply, "$.runs[2].slot")).isEqualTo("2026-06-01T12:00:00Z");
        assertThat(text(reply, "$.runs[2].node")).isEqualTo("app");
        assertThat(Long.parseLong(text(reply, "$.runs[2].token"))).isEqualTo(token.value());
        assertThat(reply.body()).doesNotContain("not shown");
        assertThat(list(application.get("leader/default/jobs?job=billing"), "$.runs[*].job"))
                .containsExactly("billing");
        assertThat(application.get("leader/nonsense/jobs").statusCode()).isEqualTo(404);
        HttpResponse<String> nonsense = application.get("leader/default/nonsense");
        assertThat(nonsense.statusCode()).isEqualTo(404);
        assertThat(text(nonsense, "$.error")).contains("nonsense").contains("jobs");
    }

    @Test
    void an_unknown_election_is_answered_with_the_known_ones() {
        follow();
        for (HttpResponse<String> reply :
                List.of(application.get("leader/nonsense"), application.delete("leader/nonsense"))) {
            assertThat(reply.statusCode()).isEqualTo(404);
            assertThat(list(reply, "$.elections")).containsExactly("default");
            assertThat(text(reply, "$.error")).contains("nonsense");
        }
        assertThat(application.get("leader").body()).doesNotContain("nonsense");
    }

    @Test
    void a_follower_that_is_asked_makes_the_leader_on_another_node_give_up() {
        follow();
        HttpResponse<String> reply = application.delete("leader/default?cooldown=10s");
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(text(reply, "$.outcome")).isEqualTo("RELEASED");
        assertThat(text(reply, "$.before.node")).isEqualTo("first");
        assertThat(text(reply, "$.leader.node")).isEqualTo("app");
        assertThat(duration(text(reply, "$.took"))).isLessThan(OperatedApplication.LEASE);
        assertThat(leader.role()).as("for the cooldown").isEqualTo(Role.COOLING_DOWN);
        assertThat(application.bean(Elections.class).get("default").isLeader()).isTrue();
        awaitTransition(last -> last.to() == Role.LEADER);
        HttpResponse<String> after = application.get("leader/default");
        assertThat(text(after, "$.leaderships[1].reason")).isEqualTo("ABDICATED");
        assertThat(text(after, "$.lastTransition.to")).isEqualTo("LEADER");
    }

    @Test
    void the_reason_of_an_abdication_is_in_the_history_with_who_asked_for_it() {
        follow();
        HttpResponse<String> reply = application.delete("leader/default?reason=disk%20of%20eu-1%0Ais%20full");
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(text(application.get("leader/default"), "$.leaderships[1].requestedBy"))
                .isEqualTo("a user of the endpoint (disk of eu-1 is full) at app");
    }

    @Test
    void an_order_to_an_id_that_nobody_has_is_refused_unless_it_says_that_it_is_meant() {
        application = new OperatedApplication(OPEN[0], OPEN[1], "election.drainable=true");
        application.start(kind);
        await("the members").until(() -> application.get("leader").body().contains("\"complete\":true"));
        for (String state : List.of("drained", "active")) {
            HttpResponse<String> refused = application.post("leader/members/app-7", "{\"state\": \"" + state + "\"}");
            assertThat(refused.statusCode()).as(refused.body()).isEqualTo(404);
            assertThat(text(refused, "$.error"))
                    .contains("knows no member 'app-7'", "Known are: app.", "evenIfAbsent=true");
        }
        assertThat(read(application.get("leader"), "$.drains")).isEqualTo(Map.of());

        HttpResponse<String> drained = application.post(
                "leader/members/app-7",
                "{\"state\": \"drained\", \"reason\": \"its disk fails\", \"evenIfAbsent\": true}");
        assertThat(drained.statusCode()).as(drained.body()).isEqualTo(200);
        assertThat(text(drained, "$.detail")).contains("No member has this id at present");
        HttpResponse<String> open = application.get("leader");
        assertThat(text(open, "$.drains.app-7.requestedBy"))
                .isEqualTo("a user of the endpoint (its disk fails) at app");
        assertThat(Instant.parse(text(open, "$.drains.app-7.since"))).isAfter(Instant.EPOCH);
        HttpResponse<String> absent = application.get("leader/members/app-7");
        assertThat(absent.statusCode()).isEqualTo(404);
        assertThat(text(absent, "$.error")).contains("An order to drain it is open", "(its disk fails)");

        HttpResponse<String> active = application.post("leader/members/app-7", "{\"state\": \"active\"}");
        assertThat(active.statusCode()).as(active.body()).isEqualTo(200);
        assertThat(read(application.get("leader"), "$.drains")).isEqualTo(Map.of());
    }

    @Test
    void an_order_that_can_not_be_understood_is_answered_with_the_reason() {
        application = new OperatedApplication(OPEN[0], OPEN[1], "election.drainable=true");
        application.start(kind);
        Map<String, String> wrong = Map.of(
                "{}",
                "state:",
                "{\"state\": \"drained\", \"evenIfAbsent\": \"perhaps\"}",
                "evenIfAbsent:",
                "{\"state\": \"drained\", \"reason\": \"" + "x".repeat(101) + "\"}",
                "reason:");
        wrong.forEach((order, name) -> {
            HttpResponse<String> reply = application.post("leader/members/app", order);
            assertThat(reply.statusCode()).as(order).isEqualTo(400);
            assertThat(text(reply, "$.error")).startsWith(name);
        });
        assertThat(read(application.get("leader"), "$.drains")).isEqualTo(Map.of());
    }

    @Test
    void shows_each_job_of_all_elections_with_its_latest_run_problems_first() {
        follow();
        JobHistory history = application.bean(JobHistory.class);
        FencingToken token = leader.leadership().orElseThrow().token();
        history.begin("default", "billing", null, token).end(null);
        history.begin("default", "reports", null, token).end(null);
        history.begin("default", "reports", null, token, "alice (late)").end(new IllegalStateException("not shown"));

        HttpResponse<String> reply = application.get("leader/*/jobs");
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(list(reply, "$.jobs[*].job")).containsExactly("reports", "billing");
        assertThat(list(reply, "$.jobs[*].election")).containsExactly("default", "default");
        assertThat(text(reply, "$.jobs[0].last.outcome")).isEqualTo("FAILED");
        assertThat(text(reply, "$.jobs[0].last.requestedBy")).isEqualTo("alice (late)");
        assertThat(reply.body()).doesNotContain("unread");
    }

    @Test
    void a_job_is_run_now_by_a_leader_that_has_it() {
        application.start(kind, OneJob.class);
        await("this node leads").until(() -> text(application.get("leader"), "$.elections.default.role")
                .equals("LEADER"));

        HttpResponse<String> run = application.post("leader/default/jobs/books", "{\"reason\": \"closed late\"}");
        assertThat(run.statusCode()).as(run.body()).isEqualTo(202);
        assertThat(text(run, "$.outcome")).isEqualTo("STARTED");
        await("its run")
                .until(() -> application.get("leader/default/jobs").body().contains("(closed late) at app"));
        assertThat(text(application.get("leader/*/jobs"), "$.jobs[0].next")).matches("\\d{4}-01-01T.*");

        HttpResponse<String> refused = application.post("leader/default/jobs/nonsense", "{}");
        assertThat(refused.statusCode()).as(refused.body()).isEqualTo(409);
        assertThat(text(refused, "$.detail")).contains("[books]");
        assertThat(application.post("leader/nonsense/jobs/books", "{}").statusCode())
                .isEqualTo(404);
        assertThat(application.post("leader/default/nonsense/books", "{}").statusCode())
                .isEqualTo(404);
        assertThat(application
                        .post("leader/default/jobs/books", "{\"reason\": \"" + "x".repeat(101) + "\"}")
                        .statusCode())
                .isEqualTo(400);
    }

    @Test
    void a_job_is_not_run_now_where_the_endpoint_is_read_only() {
        application = new OperatedApplication(OPEN[1]);
        application.start(kind, OneJob.class);
        HttpResponse<String> refused = application.post("leader/default/jobs/books", "{}");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(text(refused, "$.error")).contains("management.endpoint.leader.access=unrestricted");
    }

    @Test
    void the_leader_is_followed_by_the_node_that_was_wished() {
        follow();
        Election third = application.join("third");
        await("third follows").until(() -> third.leader().isPresent());
        HttpResponse<String> reply = application.delete("leader/default?to=third");
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(text(reply, "$.leader.node")).isEqualTo("third");
        await("third leads").until(third::isLeader);
    }

    @Test
    void a_leader_that_works_is_waited_for_within_a_bound() {
        follow();
        LeaderWork work = leader.beginWork().orElseThrow();
        HttpResponse<String> reply = application.delete("leader/default?drain=300ms");
        assertThat(reply.statusCode()).as(reply.body()).isEqualTo(200);
        assertThat(text(reply, "$.outcome")).isEqualTo("RELEASED");
        assertThat(duration(text(reply, "$.took"))).isGreaterThanOrEqualTo(Duration.ofMillis(300));
        work.close();
    }

    @Test
    void a_leader_that_leads_already_is_left_alone() {
        follow();
        HttpResponse<String> reply = application.delete("leader/default?to=first");
        assertThat(reply.statusCode()).isEqualTo(409);
        assertThat(text(reply, "$.outcome")).isEqualTo("ALREADY_LEADS");
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    void where_nobody_leads_there_is_a_conflict() {
        application.start(kind);
        Election own = application.bean(Elections.class).get("default");
        await("leads").until(own::isLeader);
        own.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMinutes(1)))
                .toCompletableFuture()
                .join();
        HttpResponse<String> reply = application.delete("leader/default");
        assertThat(reply.statusCode()).isEqualTo(409);
        assertThat(text(reply, "$.outcome")).isEqualTo("NOT_LEADER");
        assertThat(text(reply, "$.detail")).contains("No node leads");
    }

    @Test
    void what_can_not_be_understood_is_answered_with_the_reason() {
        follow();
        Map<String, String> wrong = Map.of(
                "cooldown=soon",
                "cooldown",
                "cooldown=-1s",
                "cooldown",
                "cooldown=25h",
                "cooldown",
                "cooldown=400d",
                "cooldown",
                "drain=x",
                "drain",
                "to=a%20b",
                "to",
                "force=perhaps",
                "force",
                "reason=" + "x".repeat(101),
                "reason");
        wrong.forEach((parameter, name) -> {
            HttpResponse<String> reply = application.delete("leader/default?" + parameter);
            assertThat(reply.statusCode()).as(parameter).isEqualTo(400);
            assertThat(text(reply, "$.error")).startsWith(name + ":");
        });
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    void writes_are_off_unless_the_application_opens_them() {
        application = new OperatedApplication("spring.autoconfigure.exclude=" + Excluded.SECURITY);
        follow();
        assertThat(application.get("leader/default").statusCode()).isEqualTo(200);
        HttpResponse<String> refused = application.delete("leader/default?force=true");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(text(refused, "$.error")).contains("set management.endpoint.leader.access=unrestricted");
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    void writes_are_off_also_where_the_endpoint_is_made_when_it_is_asked_first() {
        application = new OperatedApplication(
                "spring.main.lazy-initialization=true", "spring.autoconfigure.exclude=" + Excluded.SECURITY);
        follow();
        HttpResponse<String> refused = application.delete("leader/default?force=true");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(text(refused, "$.error")).contains("set management.endpoint.leader.access=unrestricted");
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    void writes_that_the_application_has_switched_off_itself_are_not_there() {
        application = new OperatedApplication(
                "management.endpoint.leader.access=read-only", "spring.autoconfigure.exclude=" + Excluded.SECURITY);
        follow();
        assertThat(application.delete("leader/default").statusCode()).isIn(404, 405);
        assertThat(leader.isLeader()).isTrue();
    }

    @Test
    void access_is_what_the_application_says() {
        application = new OperatedApplication(
                "management.endpoint.leader.access=none", "spring.autoconfigure.exclude=" + Excluded.SECURITY);
        follow();
        assertThat(application.get("leader").statusCode()).isEqualTo(404);
    }

    @Test
    void how_the_application_writes_its_own_JSON_does_not_matter() {
        String[] properties = Arrays.copyOf(OPEN, OPEN.length + 2);
        properties[OPEN.length] = "spring.jackson.property-naming-strategy=SNAKE_CASE";
        properties[OPEN.length + 1] = "spring.jackson.default-property-inclusion=non_null";
        application = new OperatedApplication(properties);
        follow();
        HttpResponse<String> all = application.get("leader");
        assertThat(text(all, "$.elections.default.lastTransition.to")).isEqualTo("FOLLOWER");
        assertThat(read(all, "$.elections.default.leader.leaseRemaining")).isNull();
        assertThat(read(all, "$.elections.default.leaderships")).isNull();
        assertThat(read(all, "$.elections.default.freshness.storeReadAt")).isNull();
        HttpResponse<String> one = application.get("leader/default");
        assertThat(duration(text(one, "$.leader.leaseRemaining"))).isPositive();
        assertThat(Instant.parse(text(one, "$.freshness.storeReadAt"))).isAfter(Instant.EPOCH);
        assertThat(read(one, "$.freshness.problem")).isNull();
        assertThat(read(one, "$.leaderships[0].until")).isNull();
        assertThat(read(one, "$.leaderships[0].reason")).isNull();
        HttpResponse<String> conflict = application.delete("leader/default?to=first");
        assertThat(conflict.statusCode()).isEqualTo(409);
        assertThat(read(conflict, "$.leader.leaseRemaining")).isNull();
        application.away(true);
        HttpResponse<String> unavailable = application.delete("leader/default");
        assertThat(unavailable.statusCode()).isEqualTo(503);
        assertThat(read(unavailable, "$.leader")).isNull();
    }

    private void follow(Class<?>... more) {
        leader = application.join("first");
        await("first leads").until(leader::isLeader);
        application.start(kind, more);
        Election own = application.bean(Elections.class).get("default");
        await("this node follows").until(() -> own.leader().isPresent());
        awaitTransition(any -> true);
    }

    private void awaitTransition(Predicate<Transition> which) {
        ElectionWatch watch = application.bean(ElectionWatch.class);
        await("its watch has heard of it").until(() -> {
            Transition last = watch.of("default").lastTransition();
            return last != null && which.test(last);
        });
    }

    private static ConditionFactory await(String what) {
        return Nodes.await(what).pollInterval(Duration.ofMillis(50));
    }

    private static String text(HttpResponse<String> reply, String path) {
        return String.valueOf(read(reply, path));
    }

    private static List<Object> list(HttpResponse<String> reply, String path) {
        return List.copyOf((List<?>) read(reply, path));
    }

    private static Object read(HttpResponse<String> reply, String path) {
        return JsonPath.read(reply.body(), path);
    }

    /** As it is written for people, below a minute. */
    private static Duration duration(String text) {
        return text.endsWith(" ms")
                ? Duration.ofMillis(Long.parseLong(text.replace(" ms", "")))
                : Duration.ofMillis(Math.round(Double.parseDouble(text.replace(" s", "")) * 1000));
    }

    /** The first sample after that sentence. */
    private static String documented(String sentence) throws IOException {
        String page = Files.readString(Path.of("../../docs/operations.md"));
        String begin = page.substring(page.indexOf(sentence));
        int sample = begin.indexOf("```json\n") + "```json\n".length();
        return begin.substring(sample, begin.indexOf("```\n", sample));
    }

    /** The paths of all values. */
    private static Set<String> shape(String json) {
        Set<String> paths = new TreeSet<>();
        addPaths(JsonPath.read(json, "$"), "", paths);
        return paths;
    }

    private static void addPaths(Object value, String path, Set<String> paths) {
        paths.add(path);
        if (value instanceof Map<?, ?> map) {
            map.forEach((key, below) -> addPaths(below, path + "." + key, paths));
        } else if (value instanceof List<?> list) {
            list.forEach(below -> addPaths(below, below instanceof String ? path : path + "[]", paths));
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class OneFinding {

        @Bean
        Check finding() {
            return () -> CompletableFuture.completedFuture(List.of(new Finding("a problem", "an action")));
        }
    }

    @EnableScheduling
    static class OneJob {

        @LeaderOnly(job = "books")
        @Scheduled(cron = "0 0 3 1 1 *", zone = "UTC")
        void close() {}
    }
}
