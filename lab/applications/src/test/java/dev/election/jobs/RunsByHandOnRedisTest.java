package dev.election.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.autoconfigure.ElectionContext;
import dev.election.harness.RedisBinary;
import dev.election.jobs.requests.JobRequests;
import dev.election.jobs.requests.RunReport;
import dev.election.redis.RedisLeaseStore;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LeaseStore;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessage.RunRequested;
import dev.election.store.StoreEvent;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Configuration;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Jobs that are run by hand while the leadership moves between three nodes over a real Redis: never twice, and each request has an answer. */
@RealTime
class RunsByHandOnRedisTest {

    private static final Duration PATIENCE = Duration.ofMillis(500);

    private final RedisServer redis = RedisServer.start(RedisBinary.REDIS_6_2);
    private final List<RedisLeaseStore> stores = new CopyOnWriteArrayList<>();
    private final Map<String, Integer> runs = new ConcurrentHashMap<>();

    @Configuration
    @EnableScheduling
    static class Scheduling {}

    static class Jobs {

        @LeaderOnly
        @Scheduled(cron = "0 0 3 29 2 *")
        public void bill() {}
    }

    @AfterEach
    void close() {
        redis.close();
    }

    @Test
    void a_hundred_jobs_run_by_hand_through_changes_of_leader_run_once_each_at_most() {
        node("a").run(a -> node("b").run(b -> node("c").run(c -> {
            List<ApplicationContextNode> nodes = List.of(of(a), of(b), of(c));
            List<StoreEvent> heard = new CopyOnWriteArrayList<>();
            stores.get(0).listen("default", heard::add);
            Nodes.await("a leader that everybody knows").until(() -> nodes.stream()
                    .allMatch(each -> each.election().leader().isPresent()));
            Map<String, RunReport> answers = new ConcurrentHashMap<>();
            List<CompletableFuture<?>> asked = new ArrayList<>();
            int changes = 0;
            for (int i = 0; i < 100; i++) {
                String why = "request " + i;
                ApplicationContextNode from = nodes.get(i % 3);
                Nodes.await("a leader").until(() -> from.election().leader().isPresent());
                if (i % 6 == 5) {
                    changes += resign(nodes);
                }
                RunReport report = from.requests()
                        .request(from.election(), "jobs.bill", why, PATIENCE)
                        .toCompletableFuture()
                        .join();
                answers.put(why, report);
                // A message that arrives again, under whatever leadership, is not served again.
                List<NodeMessage> requests = heard.stream()
                        .filter(StoreEvent.Received.class::isInstance)
                        .map(event -> ((StoreEvent.Received) event).message())
                        .filter(RunRequested.class::isInstance)
                        .distinct()
                        .toList();
                requests.subList(Math.max(0, requests.size() - 4), requests.size())
                        .forEach(request -> asked.add(stores.get(1)
                                .messaging()
                                .orElseThrow()
                                .announce("default", request)
                                .toCompletableFuture()));
            }
            assertThat(changes).as("changes of leader").isGreaterThan(10);
            asked.forEach(CompletableFuture::join);
            Nodes.await("the runs have ended")
                    .until(() -> nodes.stream().allMatch(each -> each.election().runningWork() == 0));

            assertThat(runs.values()).as("runs of each request: %s", runs).containsOnly(1);
            answers.forEach((why, report) -> {
                switch (report.outcome()) {
                    case STARTED ->
                        assertThat(runs.keySet()).as("%s: %s", why, report).anyMatch(isOf(why));
                    case REFUSED ->
                        assertThat(runs.keySet()).as("%s: %s", why, report).noneMatch(isOf(why));
                    case UNKNOWN -> assertThat(report.detail()).contains("the runs of the job");
                }
            });
            assertThat(answers.values().stream()
                            .collect(Collectors.groupingBy(RunReport::outcome, Collectors.counting()))
                            .get(RunReport.Outcome.STARTED))
                    .as("answers %s", answers)
                    .isGreaterThan(50);
        })));
    }

    private static java.util.function.Predicate<String> isOf(String why) {
        return requestedBy -> requestedBy.startsWith(why + " at ");
    }

    /** The leader begins to give leadership up. Returns whether there is one. */
    private static int resign(List<ApplicationContextNode> nodes) {
        for (ApplicationContextNode node : nodes) {
            if (node.election().isLeader()) {
                CompletionStage<?> unused =
                        node.election().abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMillis(100)));
                return 1;
            }
        }
        return 0;
    }

    private ApplicationContextRunner node(String id) {
        return ElectionContext.inMemory()
                .withConfiguration(AutoConfigurations.of(TaskSchedulingAutoConfiguration.class))
                .withUserConfiguration(Scheduling.class)
                .withAllowBeanDefinitionOverriding(true)
                .withBean(LeaseStore.class, this::store)
                .withBean("jobs", Jobs.class)
                .withBean(
                        JobRunListener.class,
                        () -> run -> run.requestedBy().ifPresent(by -> runs.merge(by, 1, Integer::sum)))
                .withPropertyValues("election.lease=2s", "election.node.id=" + id);
    }

    private RedisLeaseStore store() {
        RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(redis.uri()), "hand", Duration.ofSeconds(2));
        stores.add(store);
        return store;
    }

    private static ApplicationContextNode of(org.springframework.context.ApplicationContext context) {
        return new ApplicationContextNode(
                context.getBean(Elections.class).get("default"), context.getBean(JobRequests.class));
    }

    private record ApplicationContextNode(Election election, JobRequests requests) {}
}
