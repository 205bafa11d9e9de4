package dev.election.quartz;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.Background;
import dev.election.testing.SchedulerGroup;
import dev.election.testing.SchedulerGroup.Leader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three processes with a job every second for a minute, whose leaders are killed, ended and frozen. */
@DisplayNameGeneration(ReplaceUnderscores.class)
@Tag("slow")
class ThreeSchedulersTest {

    private static final int A_MINUTE = 60;

    /** Both at once: they mostly wait. */
    @Test
    void each_slot_of_a_minute_is_fired_once_whatever_becomes_of_the_leaders_and_however_their_clocks_differ(
            @TempDir Path same, @TempDir Path shifted) throws Exception {
        Background inTime =
                Background.run(() -> run(Files.createDirectories(same), Duration.ZERO, Duration.ZERO, Duration.ZERO));
        Background outOfTime = Background.run(() ->
                run(Files.createDirectories(shifted), Duration.ZERO, Duration.ofSeconds(2), Duration.ofSeconds(-2)));

        inTime.await(Duration.ofSeconds(150));
        outOfTime.await(Duration.ofSeconds(150));
    }

    private static void run(Path folder, Duration... shifts) throws Exception {
        try (SchedulerGroup group = new SchedulerGroup(
                folder,
                ScheduledApplication.class,
                "quartz/quartzScheduler/slot/DEFAULT/job",
                Stream.of(shifts)
                        .map(shift -> List.of("--test.shift=" + shift.toMillis()))
                        .toList())) {
            Leader first = group.awaitSlots(4);
            first.process().kill();
            Leader second = group.awaitLeaderAfter(first, 4);
            group.replace(first);

            second.process().terminate();
            Leader third = group.awaitLeaderAfter(second, 4);
            group.replace(second);

            third.process().freeze();
            Leader fourth = group.awaitLeaderAfter(third, 4);
            third.process().thaw();
            group.awaitSlots(3);

            fourth.process().kill();
            Leader fifth = group.awaitLeaderAfter(fourth, 4);
            group.replace(fourth);

            while (group.runs().size() < A_MINUTE) {
                group.awaitSlots(1);
            }
            assertThat(fifth.process().isAlive()).isTrue();
            group.stop();
            group.assertThatEachSlotWasFiredOnce();
            assertThat(group.runs().stream().map(SchedulerGroup.Run::token).distinct())
                    .hasSizeGreaterThanOrEqualTo(5);
        }
    }
}
