package dev.election.spring.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.Background;
import dev.election.testing.KillsProcesses;
import dev.election.testing.LeaderChanges;
import dev.election.testing.SchedulerGroup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three processes with a guarded cron method every second, whose leaders are killed, ended and frozen. */
@KillsProcesses
class ThreeCronNodesTest {

    /** Of leaders. For a measurement: {@code -Delection.test.changes=200}. */
    private static final int CHANGES = Integer.getInteger("election.test.changes", 3);

    private static final Pattern INTERRUPTED =
            Pattern.compile("for its slot ([^ ]+Z)(?: by an earlier leader and is not run again|: it is claimed)");

    /** Both at once: they mostly wait. */
    @Test
    void each_slot_is_run_once_whatever_becomes_of_the_leaders_and_however_their_clocks_differ(
            @TempDir Path same, @TempDir Path shifted) throws Exception {
        Background inTime =
                Background.run(() -> run(Files.createDirectories(same), Duration.ZERO, Duration.ZERO, Duration.ZERO));
        Background outOfTime = Background.run(() ->
                run(Files.createDirectories(shifted), Duration.ZERO, Duration.ofSeconds(3), Duration.ofSeconds(-3)));

        inTime.await();
        outOfTime.await();
    }

    @Test
    void of_several_missed_slots_the_latest_is_run_and_none_twice(@TempDir Path folder) throws Exception {
        try (SchedulerGroup group =
                group(folder, Collections.nCopies(3, List.of("--test.shift=0", "--test.latest=true")))) {
            new LeaderChanges(group, leader -> Set.of(), false).make(CHANGES);
            group.stop();
            Set<Long> interrupted = interrupted(group);
            List<SchedulerGroup.Run> runs = group.runs();
            assertThat(runs).extracting(SchedulerGroup.Run::slot).isSorted().doesNotHaveDuplicates();
            List<String> unexplained = new ArrayList<>();
            for (int i = 1; i < runs.size(); i++) {
                long left = runs.get(i).slot() - 1000;
                SchedulerGroup.Run before = runs.get(i - 1);
                // What a living leader leaves out, the slot that it runs next makes up for.
                boolean isFirstAfterGap = left != before.slot() && runs.get(i).token() != before.token();
                if (isFirstAfterGap && !runs.get(i).line().endsWith(" late") && !interrupted.contains(left)) {
                    unexplained.add(
                            runs.get(i - 1).line() + " and then " + runs.get(i).line());
                }
            }
            assertThat(unexplained).as("gaps whose latest slot was not run").isEmpty();
        }
    }

    private static void run(Path folder, Duration... shifts) throws Exception {
        try (SchedulerGroup group = group(
                folder,
                Stream.of(shifts)
                        .map(shift -> List.of("--test.shift=" + shift.toMillis()))
                        .toList())) {
            new LeaderChanges(group, leader -> Set.of(), false).make(CHANGES);
            group.stop();
            group.assertThatEachSlotWasFiredOnceBut(interrupted(group));
        }
    }

    private static SchedulerGroup group(Path folder, List<List<String>> arguments) throws Exception {
        return new SchedulerGroup(folder, CronApplication.class, arguments);
    }

    /** The slots that a leader had claimed when it was killed, as its successor found: it may have had no time to call the method. */
    private static Set<Long> interrupted(SchedulerGroup group) {
        return group.log().stream()
                .map(INTERRUPTED::matcher)
                .filter(Matcher::find)
                .map(found -> Instant.parse(found.group(1)).toEpochMilli())
                .collect(Collectors.toSet());
    }
}
