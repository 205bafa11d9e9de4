package dev.election.steering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LossReason;
import dev.election.quartz.internal.ClusteredApplication;
import dev.election.quartz.internal.ScheduledApplication;
import dev.election.quartz.internal.SharedJobs;
import dev.election.spring.scheduling.CronApplication;
import dev.election.steering.SteeredGroup.Leadership;
import dev.election.testing.Background;
import dev.election.testing.KillsProcesses;
import dev.election.testing.SchedulerGroup.Run;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes with a job every second, whose leader is drained by a request to another one, and set to active again. More of it with
 * {@code -Delection.test.drains}.
 */
@KillsProcesses
class DrainedLeaderTest {

    private static final int DRAINS = Integer.getInteger("election.test.drains", 2);

    /** Of a request that runs when its node is drained. */
    private static final Duration WORK = Duration.ofSeconds(3);

    /** All at once: they mostly wait. */
    @Test
    void no_slot_is_run_twice_or_not_at_all_and_running_work_ends_before_leadership_moves(
            @TempDir Path methods, @TempDir Path jobs, @TempDir Path shared) throws Exception {
        Background scheduled = Background.run(() -> run(methods, CronApplication.class));
        Background quartz = Background.run(() -> run(jobs, ScheduledApplication.class));
        Background clustered = Background.run(() -> {
            try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
                Path history = Files.createDirectories(shared).resolve("history");
                SharedJobs.everySecond(postgres.getPostgresDatabase(), history);
                run(
                        shared,
                        ClusteredApplication.class,
                        "--" + ClusteredApplication.DATABASE + "=" + postgres.getJdbcUrl("postgres", "postgres"),
                        "--" + ClusteredApplication.CHECK_IN + "=1000",
                        "--spring.quartz.properties[org.quartz.scheduler.idleWaitTime]=1000");
            }
        });

        scheduled.await();
        quartz.await();
        clustered.await();
    }

    private static void run(Path folder, Class<?> application, String... arguments) throws Exception {
        try (SteeredGroup group = new SteeredGroup(folder, application, arguments)) {
            for (int i = 0; i < 3; i++) {
                // No drain waits for the end of a lease, and no busy machine ends one.
                group.start("--election.drainable=true", "--election.lease=10s");
            }
            group.awaitSettled();
            group.letOthersStart();
            for (int drain = 0; drain < DRAINS; drain++) {
                drain(group, drain == 0);
            }
            List<Leadership> history = group.history();
            group.schedulers().stop();
            judge(group.schedulers().runs(), history);
            group.schedulers().assertThatEachSlotWasFiredOnce();
            System.out.println(application.getSimpleName() + ": " + DRAINS + " drains of the leader, "
                    + group.schedulers().runs().size() + " slots, each run once");
        }
    }

    private static void drain(SteeredGroup group, boolean withWork) throws Exception {
        String leader = group.schedulers().awaitSlots(2).node();
        String other = group.other(leader);
        CompletableFuture<HttpResponse<String>> work = withWork ? group.work(leader, WORK) : null;
        group.order(leader, "drained", other);
        String next = group.awaitLeaderOtherThan(leader);
        if (work != null) {
            assertThatItEndedBefore(group, work);
        }
        Leadership ended = group.history().get(group.history().size() - 2);
        assertThat(ended.node()).isEqualTo(leader);
        assertThat(ended.reason()).isEqualTo(LossReason.ABDICATED);
        assertThat(ended.requestedBy()).endsWith(" at " + other);
        group.schedulers().awaitSlots(2);
        assertThat(group.leader()).isEqualTo(next);
        assertThat(group.read(leader, "leader").<String>read("$.elections.default.role"))
                .isEqualTo("OBSERVER");
        group.order(leader, "active", other);
        SteeredGroup.await("it may lead again").until(() -> group.read(leader, "leader")
                .<String>read("$.elections.default.role")
                .equals("FOLLOWER"));
    }

    private static void assertThatItEndedBefore(SteeredGroup group, CompletableFuture<HttpResponse<String>> work)
            throws InterruptedException, ExecutionException, TimeoutException {
        HttpResponse<String> answer = work.get(30, TimeUnit.SECONDS);
        assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
        String[] part = answer.body().split(" ");
        List<Leadership> history = group.history();
        Leadership next = history.get(history.size() - 1);
        Leadership ended = history.get(history.size() - 2);
        assertThat(part[0]).as("the token of the work").isEqualTo(Long.toString(ended.token()));
        assertThat(part[1])
                .as("whether the work was that of the leader at its end")
                .isEqualTo("true");
        assertThat(Instant.ofEpochMilli(Long.parseLong(part[2])))
                .as("the end of the work")
                .isBeforeOrEqualTo(ended.until())
                .isBeforeOrEqualTo(next.from());
    }

    /** Nothing but the drains moved leadership, and each run was within the leadership of its token. */
    private static void judge(List<Run> runs, List<Leadership> history) {
        assertThat(history).hasSize(DRAINS + 1);
        Map<Long, Leadership> byToken =
                history.stream().collect(Collectors.toMap(Leadership::token, Function.identity()));
        assertThat(runs).allSatisfy(run -> {
            Leadership leadership = byToken.get(run.token());
            assertThat(leadership).as("the leadership of its token").isNotNull();
            Instant at = Instant.ofEpochMilli(Long.parseLong(run.line().split(" ")[2]));
            assertThat(at).isAfterOrEqualTo(leadership.from());
            if (leadership.until() != null) {
                assertThat(at).isBeforeOrEqualTo(leadership.until());
            }
        });
    }
}
