package dev.election.jobs.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.election.quartz.internal.ScheduledApplication;
import dev.election.spring.scheduling.CronApplication;
import dev.election.testing.Background;
import dev.election.testing.KillsProcesses;
import dev.election.testing.Nodes;
import dev.election.testing.SchedulerGroup;
import dev.election.testing.SchedulerGroup.Leader;
import dev.election.testing.SchedulerGroup.Run;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A leader whose process ends exactly between the steps of its third run. */
@KillsProcesses
class DeathBetweenStepsTest {

    /** More than all that is waited for inside, which tells better what is missing. */
    private static final Duration LONGEST = Duration.ofMinutes(6);

    /**
     * On one thread, so that no late slot overtakes another. With a job that is run again and one that is not, both at once: they mostly wait.
     *
     * @param application with such a job
     * @param step after which the leader ends
     * @param runs how often its third slot is run if it is not run again
     */
    @ParameterizedTest
    @MethodSource("steps")
    void the_next_leader_runs_what_was_not_claimed_and_the_rest_only_if_the_job_wants_it(
            Class<?> application, String step, int runs, @TempDir Path once, @TempDir Path again) throws Exception {
        Background first = Background.run(() -> dieIn(application, once, step, false, runs));
        Background second = Background.run(() -> dieIn(application, again, step, true, runs + 1));
        first.await(LONGEST);
        second.await(LONGEST);
    }

    /** The end of a Quartz job is recorded only if it is to be run again. */
    private static Stream<Arguments> steps() {
        return Stream.of(
                arguments(CronApplication.class, "claimed", 0),
                arguments(CronApplication.class, "running", 1),
                arguments(CronApplication.class, "ended", 1),
                arguments(ScheduledApplication.class, "claimed", 0),
                arguments(ScheduledApplication.class, "running", 1));
    }

    private static void dieIn(Class<?> application, Path folder, String step, boolean rerun, int runs)
            throws Exception {
        List<String> immortal = List.of(
                "--test.shift=0",
                "--test.rerun=" + rerun,
                "--spring.quartz.properties[org.quartz.threadPool.threadCount]=1");
        List<String> mortal = Stream.concat(immortal.stream(), Stream.of("--test.die=" + step))
                .toList();
        try (SchedulerGroup group = new SchedulerGroup(folder, application, List.of(mortal))) {
            Leader first = group.awaitFirst();
            // However long it takes to start: what the first one leaves is its own.
            group.start(immortal);
            group.awaitSuccessorOfDead(first, 3);
            // Not the third in time: a leader that leads later than its scheduler starts catches up what it missed.
            List<Long> claimed = group.claimed(first);
            long third = claimed.get(claimed.size() - 1);
            // A slot whose time has come may be run between those that are run late.
            Nodes.await("the slots that were missed")
                    .until(() -> others(group.runs(), third).containsAll(expected(group.runs(), third)));
            group.stop();

            List<Run> all = group.runs();
            assertThat(all)
                    .filteredOn(run -> run.slot() == third)
                    .as("runs of the third slot of %s", all)
                    .hasSize(runs);
            assertThat(all).filteredOn(run -> run.line().endsWith("again")).hasSize(rerun ? 1 : 0);
            assertThat(others(all, third))
                    .as("all others once of %s", all)
                    .containsExactlyInAnyOrderElementsOf(expected(all, third));
        }
    }

    private static List<Long> others(List<Run> runs, long third) {
        return runs.stream().map(Run::slot).filter(slot -> slot != third).toList();
    }

    /** One each second, from the first to the last. */
    private static List<Long> expected(List<Run> runs, long third) {
        LongSummaryStatistics slots = runs.stream().mapToLong(Run::slot).summaryStatistics();
        return LongStream.rangeClosed(slots.getMin() / 1000, slots.getMax() / 1000)
                .mapToObj(second -> second * 1000)
                .filter(slot -> slot != third)
                .toList();
    }
}
