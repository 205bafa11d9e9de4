package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.KillsProcesses;
import dev.election.testing.SchedulerGroup;
import dev.election.testing.SchedulerGroup.Leader;
import dev.election.testing.SchedulerGroup.Run;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes with one clustered store in a PostgreSQL and a job every second. Whoever leads is stopped for longer than the
 * cluster needs to take over what it held, and goes on.
 *
 * <p>One pause by default. For a measurement: {@code -Delection.test.slots=300}, and {@code -Delection.test.check-in=7500} for
 * Quartz's own interval.
 */
@KillsProcesses
class PausedLeaderTest {

    private static final int SLOTS = Integer.getInteger("election.test.slots", 20);
    private static final String CHECK_IN = System.getProperty("election.test.check-in", "1000");
    private static final List<Duration> PAUSES = List.of(
            Duration.ofSeconds(12),
            Duration.ofSeconds(16),
            Duration.ofSeconds(20),
            Duration.ofSeconds(14),
            Duration.ofSeconds(18));

    @Test
    void each_slot_is_fired_once_although_leaders_are_paused_for_longer_than_the_cluster_waits_for_them(
            @TempDir Path folder) throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            SharedJobs.everySecond(postgres.getPostgresDatabase(), folder.resolve("history"));
            List<String> arguments = List.of(
                    "--" + ClusteredApplication.DATABASE + "=" + postgres.getJdbcUrl("postgres", "postgres"),
                    "--" + ClusteredApplication.CHECK_IN + "=" + CHECK_IN);
            try (SchedulerGroup group =
                    new SchedulerGroup(folder, ClusteredApplication.class, Collections.nCopies(3, arguments))) {
                pauseLeaders(group);
                List<Long> lost = awaitLate(group);
                Map<Long, List<Run>> twice = twice(group.runs());
                String figures = slots(group.runs()).size() + " slots with a check-in of " + CHECK_IN + " ms: "
                        + twice.size() + " twice, " + lost.size() + " lost";
                System.out.println(figures);
                assertThat(twice).as(figures).isEmpty();
                assertThat(lost).as(figures).isEmpty();
                group.stop();
            }
        }
    }

    private static void pauseLeaders(SchedulerGroup group) {
        for (int round = 0; slots(group.runs()).size() < SLOTS; round++) {
            Leader leader = awaitSlots(group, 4);
            leader.process().freeze();
            pass(PAUSES.get(round % PAUSES.size()));
            leader.process().thaw();
            awaitSlots(group, 8);
        }
    }

    /** It is the length of the pause that matters here, not what happens meanwhile. */
    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).timeout(time.plusSeconds(10)).until(() -> true);
    }

    private static Leader awaitSlots(SchedulerGroup group, int number) {
        int before = group.runs().size();
        Awaitility.await("slots")
                .atMost(Duration.ofSeconds(90))
                .until(() ->
                        group.runs().size() >= before + number && group.leader().isPresent());
        return group.leader().orElseThrow();
    }

    /** What nobody has fired yet may still be on its way: an idle scheduler looks for it twice a minute. */
    private static List<Long> awaitLate(SchedulerGroup group) {
        long end = System.nanoTime() + Duration.ofSeconds(40).toNanos();
        Awaitility.await("late slots")
                .atMost(Duration.ofSeconds(60))
                .until(() -> group.missing().isEmpty() || System.nanoTime() > end);
        return group.missing();
    }

    private static List<Long> slots(List<Run> runs) {
        return runs.stream().map(Run::slot).distinct().sorted().toList();
    }

    private static Map<Long, List<Run>> twice(List<Run> runs) {
        Map<Long, List<Run>> bySlot =
                runs.stream().collect(Collectors.groupingBy(Run::slot, TreeMap::new, Collectors.toList()));
        bySlot.values().removeIf(same -> same.size() == 1);
        return bySlot;
    }
}
