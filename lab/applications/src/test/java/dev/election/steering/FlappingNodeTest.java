package dev.election.steering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LossReason;
import dev.election.spring.scheduling.CronApplication;
import dev.election.steering.SteeredGroup.Leadership;
import dev.election.testing.KillsProcesses;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A preferred node is killed and started again and again. Ten minutes of it: {@code -Delection.test.flapping=PT10M -Delection.test.up=PT20S
 * -Delection.test.minimum-tenure=PT5S}.
 */
@KillsProcesses
class FlappingNodeTest {

    private static final Duration FLAPPING = duration("election.test.flapping", "PT20S");

    /** How long it runs at least after each start; up to half as long again. */
    private static final Duration UP = duration("election.test.up", "PT10S");

    private static final Duration MINIMUM_TENURE = duration("election.test.minimum-tenure", "PT3S");
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** A reservation for a successor that is gone, and then as after a crash: one and a half leases. */
    private static final Duration LONGEST_GAP =
            Duration.ofSeconds(3).plus(LEASE.multipliedBy(3).dividedBy(2));

    /** How many leaderships count for the wait of the next hand-over. */
    private static final int COUNTED = 10;

    /** Of the store, for a request and its reply, and for the difference of a clock that is read in milliseconds. */
    private static final Duration ROUNDING = Duration.ofMillis(50);

    @Test
    void leadership_moves_as_seldom_as_the_rule_says_and_two_never_lead(@TempDir Path folder) throws Exception {
        Random random = new Random(42);
        Set<String> preferred = new LinkedHashSet<>();
        try (SteeredGroup group = new SteeredGroup(
                folder,
                CronApplication.class,
                "--election.preempt=true",
                "--election.lease=" + LEASE.toMillis() + "ms",
                "--election.minimum-tenure=" + MINIMUM_TENURE.toMillis() + "ms",
                "--test.beliefs=" + folder)) {
            // Keeps its turn: a gap of milliseconds is measured.
            group.start();
            group.start();
            group.awaitSettled();
            group.awaitLeader();
            preferred.add(group.start("--election.priority=10"));
            long begun = System.nanoTime();
            while (System.nanoTime() - begun < FLAPPING.toNanos()) {
                group.schedulers().awaitStarted();
                SteeredGroup.pass(UP.plusMillis(random.nextLong(UP.toMillis() / 2)));
                group.kill(group.nodes().get(2));
                preferred.add(group.start("--election.priority=10"));
            }
            group.schedulers().awaitStarted();
            group.awaitLeader();
            List<Leadership> history = group.history();
            Duration lasted = Duration.between(history.get(0).from(), Instant.now());
            group.schedulers().stop();
            judge(history, lasted, Beliefs.in(folder), preferred);
            assertThat(group.schedulers().runs())
                    .extracting(run -> run.slot())
                    .as("slots")
                    .doesNotHaveDuplicates();
        }
    }

    private static void judge(List<Leadership> history, Duration lasted, Beliefs beliefs, Set<String> preferred) {
        long handOvers = handOvers(history);
        long most = mostHandOvers(lasted);
        System.out.printf(
                "%s s with a minimum tenure of %s s: %s starts of the preferred node, which led %s times; %s hand-overs, of %s at most;"
                        + " %s ms without a leader at most%n",
                lasted.toSeconds(),
                MINIMUM_TENURE.toSeconds(),
                preferred.size(),
                history.stream().filter(each -> preferred.contains(each.node())).count(),
                handOvers,
                most,
                beliefs.longestGap().toMillis());
        assertThat(beliefs.overlaps()).as("two led").isEmpty();
        assertThat(beliefs.longestGap()).as("nobody led").isLessThan(LONGEST_GAP);
        assertThat(handOvers).as("by themselves").isBetween(1L, most);
        for (int i = 0; i < history.size(); i++) {
            Leadership each = history.get(i);
            if (each.reason() == LossReason.PREEMPTED) {
                long before = handOvers(history.subList(Math.max(0, i - COUNTED), i));
                assertThat(Duration.between(each.from(), each.until()).plus(ROUNDING))
                        .as("%s, after %s hand-overs", each, before)
                        .isGreaterThan(MINIMUM_TENURE.multipliedBy(1L << before));
            }
        }
    }

    private static long handOvers(List<Leadership> leaderships) {
        return leaderships.stream()
                .filter(each -> each.reason() == LossReason.PREEMPTED)
                .count();
    }

    /** By the rule, if the preferred node were there each time: of the last ten leaderships every second one ends by a hand-over. */
    private static long mostHandOvers(Duration time) {
        long handOvers = 0;
        Duration at = MINIMUM_TENURE;
        while (at.compareTo(time) <= 0) {
            handOvers++;
            at = at.plus(MINIMUM_TENURE.multipliedBy(1L << Math.min(handOvers, COUNTED / 2)));
        }
        return handOvers;
    }

    private static Duration duration(String property, String usual) {
        return Duration.parse(System.getProperty(property, usual));
    }
}
