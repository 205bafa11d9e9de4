package dev.election.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ledger.RecordedSlots;
import dev.election.testing.Background;
import dev.election.testing.LeaderChanges;
import dev.election.testing.SchedulerGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three processes with a Quartz job every second, whose leaders are killed, ended and frozen at any moment. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Tag("slow")
class ThreeSchedulersTest {

    /** Of leaders. For a measurement: {@code -Delection.test.changes=200}. */
    private static final int CHANGES = Integer.getInteger("election.test.changes", 3);

    private static final String ENTRY = "quartz/quartzScheduler/slot/DEFAULT/job";

    /** Both at once: they mostly wait. */
    @Test
    void each_slot_is_fired_once_whatever_becomes_of_the_leaders_and_however_their_clocks_differ(
            @TempDir Path same, @TempDir Path shifted) throws Exception {
        Background inTime =
                Background.run(() -> run(Files.createDirectories(same), Duration.ZERO, Duration.ZERO, Duration.ZERO));
        Background outOfTime = Background.run(() ->
                run(Files.createDirectories(shifted), Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(-3)));

        inTime.await(Duration.ofSeconds(60 + 20L * CHANGES));
        outOfTime.await(Duration.ofSeconds(60 + 20L * CHANGES));
    }

    private static void run(Path folder, Duration... shifts) throws Exception {
        try (SchedulerGroup group = new SchedulerGroup(
                folder,
                ScheduledApplication.class,
                Stream.of(shifts)
                        .map(shift -> List.of("--test.shift=" + shift.toMillis()))
                        .toList())) {
            LeaderChanges changes = new LeaderChanges(
                    group,
                    () -> group.recorded(ENTRY).map(RecordedSlots::claimed).orElse(Set.of()));
            changes.make(CHANGES);
            assertEachSlotOnce(group, changes);
        }
    }

    private static void assertEachSlotOnce(SchedulerGroup group, LeaderChanges changes) {
        Set<Long> interrupted = changes.interrupted();
        System.out.println(CHANGES + " changes of leader, " + group.runs().size() + " slots, " + interrupted.size()
                + " claimed by a leader that was killed before the job began");
        assertThat(interrupted).hasSizeLessThanOrEqualTo(CHANGES);
        group.assertThatEachSlotWasFiredOnceBut(interrupted);
    }
}
