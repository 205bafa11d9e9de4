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
    private final int slotsBesideFrozen;
    private final Set<Long> interrupted = new HashSet<>();

    /**
     * @param group whose leader
     * @param claimed the slots that a leader has claimed last, as a store says at this moment
     * @param slotsBesideFrozen for how many slots of its successor a leader is frozen. None where all share a database: it may hold a lock
     *     for which its successor waits
     */
    public LeaderChanges(SchedulerGroup group, Supplier<Set<Long>> claimed, int slotsBesideFrozen) {
        this.group = group;
        this.claimed = claimed;
        this.slotsBesideFrozen = slotsBesideFrozen;
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

    /** The slots that leaders had claimed when they were killed, and whose jobs had not begun. */
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
                group.replace(leader);
            }
            case 1 -> {
                leader.process().terminate();
                next = group.awaitLeaderAfter(leader, 2);
                group.replace(leader);
            }
            default -> {
                leader.process().freeze();
                next = group.awaitLeaderAfter(leader, slotsBesideFrozen);
                leader.process().thaw();
                group.awaitSlots(1);
            }
        }
        Leader last = next;
        return group.leader().filter(present -> present.token() > last.token()).orElse(last);
    }

    private void kill(Leader leader) throws InterruptedException {
        leader.process().kill();
        leader.process().awaitEnd();
        // The store may have answered this question before it read what the leader had sent last, but not the next one.
        claimed.get();
        interrupted.addAll(claimed.get());
    }
}
