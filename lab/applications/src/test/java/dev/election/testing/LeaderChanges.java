package dev.election.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.SchedulerGroup.Leader;
import dev.election.testing.SchedulerGroup.Run;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import org.awaitility.Awaitility;

/** Changes the leader of a group again and again: it is killed, asked to end, or frozen for longer than its lease. */
public final class LeaderChanges {

    /** Three leases. */
    private static final Duration FROZEN = Duration.ofSeconds(6);

    private final SchedulerGroup group;
    private final Function<Leader, Set<Long>> claimed;
    private final boolean sharesDatabase;
    private final Set<Long> interrupted = new HashSet<>();

    /**
     * @param group whose leader
     * @param claimed the slots that a leader has claimed last, as a store says at this moment
     * @param sharesDatabase whether all share a database. Then a frozen leader may hold a lock for which the others wait, and is thawed before
     *     one of them has run anything
     */
    public LeaderChanges(SchedulerGroup group, Function<Leader, Set<Long>> claimed, boolean sharesDatabase) {
        this.group = group;
        this.claimed = claimed;
        this.sharesDatabase = sharesDatabase;
    }

    /** Makes that many. */
    public void make(int changes) throws InterruptedException {
        Leader leader = group.awaitSlots(2);
        for (int change = 0; change < changes; change++) {
            leader = change(leader, change % 3);
        }
        group.awaitSlots(3);
        assertThat(group.runs().stream().map(Run::token).distinct()).hasSizeGreaterThan(changes);
    }

    /** The slots that leaders had claimed when they were killed or frozen, and whose jobs have not begun. */
    public Set<Long> interrupted() {
        Set<Long> lost = new HashSet<>(interrupted);
        group.runs().forEach(run -> lost.remove(run.slot()));
        return lost;
    }

    private Leader change(Leader leader, int how) throws InterruptedException {
        Leader next;
        switch (how) {
            case 0 -> {
                kill(leader);
                next = group.awaitLeaderAfter(leader, 2);
                // A database may have taken longer to hear of the last transaction of the dead.
                noteClaimed(leader);
                group.replace(leader);
            }
            case 1 -> {
                leader.process().terminate();
                next = group.awaitLeaderAfter(leader, 2);
                group.replace(leader);
            }
            default -> {
                leader.process().freeze();
                noteClaimed(leader);
                if (sharesDatabase) {
                    pass(FROZEN);
                    leader.process().thaw();
                    next = group.awaitLeaderAfter(leader, 2);
                } else {
                    next = group.awaitLeaderAfter(leader, 2);
                    leader.process().thaw();
                    group.awaitSlots(1);
                }
            }
        }
        Leader last = next;
        return group.leader().filter(present -> present.token() > last.token()).orElse(last);
    }

    private static void pass(Duration time) {
        Awaitility.await().pollDelay(time).timeout(time.plusSeconds(10)).until(() -> true);
    }

    private void kill(Leader leader) throws InterruptedException {
        leader.process().kill();
        leader.process().awaitEnd();
        noteClaimed(leader);
    }

    /** The store may have answered the first question before it read what the leader had sent last, but not the second one. */
    private void noteClaimed(Leader leader) {
        claimed.apply(leader);
        interrupted.addAll(claimed.apply(leader));
    }
}
