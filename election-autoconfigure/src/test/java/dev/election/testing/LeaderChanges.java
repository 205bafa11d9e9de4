package dev.election.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.testing.SchedulerGroup.Leader;
import dev.election.testing.SchedulerGroup.Run;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;

/** Changes the leader of a group again and again: it is killed, asked to end, or frozen for longer than its lease. */
public final class LeaderChanges {

    private final SchedulerGroup group;
    private final Supplier<Set<Long>> claimed;
    private final Set<Long> interrupted = new HashSet<>();

    /**
     * @param group whose leader
     * @param claimed the slots that a leader has claimed last, as a store says at this moment
     */
    public LeaderChanges(SchedulerGroup group, Supplier<Set<Long>> claimed) {
        this.group = group;
        this.claimed = claimed;
    }

    /** Makes that many, and stops the group. */
    public void make(int changes) throws InterruptedException {
        Leader leader = group.awaitSlots(2);
        for (int change = 0; change < changes; change++) {
            leader = change(leader, change % 3);
        }
        group.awaitSlots(3);
        group.stop();
        assertThat(group.runs().stream().map(Run::token).distinct()).hasSizeGreaterThan(changes);
    }

    /** The slots that leaders had claimed when they were killed, and whose jobs had not begun. */
    public Set<Long> interrupted() {
        Set<Long> lost = new HashSet<>(interrupted);
        group.runs().forEach(run -> lost.remove(run.slot()));
        return lost;
    }

    private Leader change(Leader leader, int how) throws InterruptedException {
        switch (how) {
            case 0 -> kill(leader);
            case 1 -> leader.process().terminate();
            default -> leader.process().freeze();
        }
        Leader next = group.awaitLeaderAfter(leader, 2);
        if (how == 2) {
            leader.process().thaw();
            group.awaitSlots(1);
        } else {
            group.replace(leader);
        }
        return group.leader().filter(present -> present.token() > next.token()).orElse(next);
    }

    private void kill(Leader leader) throws InterruptedException {
        leader.process().kill();
        leader.process().awaitEnd();
        // The store may have answered this question before it read what the leader had sent last, but not the next one.
        claimed.get();
        interrupted.addAll(claimed.get());
    }
}
