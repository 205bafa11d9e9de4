package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.jobs.slots.RecordedSlots;
import dev.election.testing.Background;
import dev.election.testing.KillsProcesses;
import dev.election.testing.LeaderChanges;
import dev.election.testing.SchedulerGroup;
import dev.election.testing.SchedulerGroup.Leader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.jdbc.core.JdbcTemplate;

/** Three processes with a Quartz job every second, whose leaders are killed, ended and frozen at any moment. */
@KillsProcesses
class ThreeSchedulersTest {

    /** Of leaders. For a measurement: {@code -Delection.test.changes=200}. */
    private static final int CHANGES = Integer.getInteger("election.test.changes", 3);

    /** Of a scheduler. */
    private static final int THREADS = 4;

    private static final String ENTRY = "quartz/quartzScheduler/slot/DEFAULT/job";

    /** Both at once: they mostly wait. */
    @Test
    void each_slot_is_fired_once_whatever_becomes_of_the_leaders_and_however_their_clocks_differ(
            @TempDir Path same, @TempDir Path shifted) throws Exception {
        Background inTime =
                Background.run(() -> run(Files.createDirectories(same), Duration.ZERO, Duration.ZERO, Duration.ZERO));
        Background outOfTime = Background.run(() ->
                run(Files.createDirectories(shifted), Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(-3)));

        inTime.await();
        outOfTime.await();
    }

    private static void run(Path folder, Duration... shifts) throws Exception {
        try (SchedulerGroup group = new SchedulerGroup(
                folder,
                ScheduledApplication.class,
                Stream.of(shifts)
                        .map(shift -> List.of("--test.shift=" + shift.toMillis()))
                        .toList())) {
            LeaderChanges changes = new LeaderChanges(group, leader -> claimed(group, leader), false);
            changes.make(CHANGES);
            assertEachSlotOnce(group, changes);
        }
    }

    /** What that leader has claimed and the store takes for fired. */
    private static Set<Long> claimed(SchedulerGroup group, Leader leader) {
        Optional<String> entry = group.recorded(ENTRY);
        return group.claimed(leader).stream()
                .filter(slot -> entry.isPresent() && RecordedSlots.isSettled(entry.get(), slot))
                .collect(Collectors.toSet());
    }

    @Test
    void each_slot_of_a_clustered_store_is_fired_once_but_those_that_a_killed_leader_had_taken(@TempDir Path folder)
            throws Exception {
        try (EmbeddedPostgres postgres = EmbeddedPostgres.start()) {
            DataSource database = postgres.getPostgresDatabase();
            SharedJobs.everySecond(database, folder.resolve("history"));
            List<String> arguments = List.of(
                    "--" + ClusteredApplication.DATABASE + "=" + postgres.getJdbcUrl("postgres", "postgres"),
                    "--" + ClusteredApplication.CHECK_IN + "=1000",
                    "--election.quartz.confirm-claims=true",
                    "--spring.quartz.properties[org.quartz.scheduler.idleWaitTime]=1000");
            try (SchedulerGroup group =
                    new SchedulerGroup(folder, ClusteredApplication.class, Collections.nCopies(3, arguments))) {
                LeaderChanges changes = new LeaderChanges(group, leader -> taken(database), true);
                changes.make(CHANGES);
                // What was given back comes after what is due.
                Awaitility.await("late slots").atMost(Duration.ofSeconds(40)).until(() -> changes.interrupted()
                        .containsAll(group.missing()));
                assertEachSlotOnce(group, changes);
            }
        }
    }

    /** What nodes have taken from the store to run it: Quartz lets no other node run that unless the job asks for recovery. */
    private static Set<Long> taken(DataSource database) {
        return Set.copyOf(new JdbcTemplate(database)
                .queryForList("SELECT SCHED_TIME FROM QRTZ_FIRED_TRIGGERS WHERE STATE = 'EXECUTING'", Long.class));
    }

    private static void assertEachSlotOnce(SchedulerGroup group, LeaderChanges changes) throws InterruptedException {
        group.stop();
        Set<Long> interrupted = changes.interrupted();
        System.out.println(CHANGES + " changes of leader, " + group.runs().size() + " slots, " + interrupted.size()
                + " claimed by a leader that was killed or frozen before the job began");
        // On a machine that is busy each thread may have one.
        assertThat(interrupted).hasSizeLessThanOrEqualTo(THREADS * CHANGES);
        group.assertThatEachSlotWasFiredOnceBut(interrupted);
    }
}
