package dev.election.faults.nemesis;

import dev.election.faults.world.Group;
import dev.election.faults.world.Linked;
import dev.election.faults.world.Member;
import dev.election.harness.Wait;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;

/**
 * One use of a fault.
 *
 * @param group against which
 * @param victims the nodes that it befalls
 * @param length how long it lasts
 * @param random for what else is to be drawn
 */
record Strike(Group group, List<Member> victims, Duration length, RandomGenerator random) {

    String millis() {
        return Long.toString(length.toMillis());
    }

    /** Waits until what was granted before has ended: up to one more renewal interval, so that the end comes at any moment between two. */
    void outlastALease() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(group.lease().toMillis() * between(105, 145) / 100);
    }

    /** Waits until somebody leads. */
    void awaitLeader() {
        Wait.until("a leader", Duration.ofSeconds(60), () -> group.leader().isPresent());
    }

    /** Replaces the process of a node by one that has just started and does not reach the store before its link is opened. */
    void replaceCutOff(Member member) throws InterruptedException {
        ((Linked) group.topology()).link(member.place()).refuse();
        member.process().kill();
        Member.restart(List.of(member));
    }

    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }
}
