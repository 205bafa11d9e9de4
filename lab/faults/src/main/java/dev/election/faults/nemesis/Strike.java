package dev.election.faults.nemesis;

import dev.election.faults.world.Group;
import dev.election.faults.world.Member;
import java.time.Duration;
import java.util.List;
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

    int between(int least, int most) {
        return random.nextInt(least, most + 1);
    }
}
