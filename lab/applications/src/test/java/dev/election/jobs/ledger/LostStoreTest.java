package dev.election.jobs.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.quartz.internal.ScheduledApplication;
import dev.election.spring.scheduling.CronApplication;
import dev.election.testing.Background;
import dev.election.testing.KillsProcesses;
import dev.election.testing.SchedulerGroup;
import dev.election.testing.SchedulerGroup.Leader;
import dev.election.testing.SchedulerGroup.Run;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Three processes whose Redis dies and comes back empty or with an old snapshot, beside their leader or together with it. */
@KillsProcesses
class LostStoreTest {

    /** Of the store. For a measurement: {@code -Delection.test.losses=20}. */
    private static final int LOSSES = Integer.getInteger("election.test.losses", 2);

    /** Both at once: they mostly wait. */
    @Test
    void no_slot_is_run_twice_and_those_that_nobody_runs_are_told(@TempDir Path scheduled, @TempDir Path quartz)
            throws Exception {
        Background first =
                Background.run(() -> run(CronApplication.class, scheduled, "election.jobs.lost counts such slots"));
        Background second = Background.run(() -> run(ScheduledApplication.class, quartz, "does not fire"));
        first.await();
        second.await();
    }

    private static void run(Class<?> application, Path folder, String told) throws Exception {
        try (SchedulerGroup group =
                new SchedulerGroup(folder, application, Collections.nCopies(3, List.of("--test.shift=0")))) {
            Leader leader = group.awaitSlots(3);
            for (int loss = 0; loss < LOSSES; loss++) {
                leader = lose(group, leader, loss % 2 == 0, loss % 4 == 0 || loss % 4 == 3);
            }
            group.stop();
            assertThat(group.runs()).extracting(Run::slot).doesNotHaveDuplicates();
            assertThat(group.runs()).extracting(Run::token).isSorted();
            assertThat(group.log()).as("what is told in %s", folder).anyMatch(line -> line.contains(told));
        }
    }

    private static Leader lose(SchedulerGroup group, Leader leader, boolean old, boolean withLeader) throws Exception {
        if (old) {
            group.saveStore();
            group.awaitSlots(4);
        }
        if (withLeader) {
            leader.process().kill();
        }
        if (old) {
            group.restoreStore();
        } else {
            group.emptyStore();
        }
        if (!withLeader) {
            return group.awaitSlots(3);
        }
        Leader next = group.awaitLeaderAfter(leader, 3);
        group.replace(leader);
        return next;
    }
}
