package dev.election.faults.bridge;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/**
 * The durations of the replaced system, and the lease of the new nodes beside it.
 *
 * @param check how often an old node runs its election
 * @param ttl of the master's key
 * @param lockWait how long an old node waits for the lock
 * @param lockLease after which the lock ends by itself
 * @param lease of the new nodes
 */
record Pace(Duration check, Duration ttl, Duration lockWait, Duration lockLease, Duration lease) {

    /** Shorter ones can't be held on a machine that does something else as well. */
    private static final Duration SHORTEST_LEASE = Duration.ofSeconds(3);

    /** For the machine that the tests run on. */
    private static final Duration SLACK = Duration.ofMillis(500);

    /** In the proportions of the real ones: 30 s, 60 s, 3 s, 30 s, and the default lease of 15 s. */
    static Pace ofCheck(Duration check) {
        Duration half = check.dividedBy(2);
        return new Pace(
                check,
                check.multipliedBy(2),
                check.dividedBy(10),
                check,
                half.compareTo(SHORTEST_LEASE) > 0 ? half : SHORTEST_LEASE);
    }

    static Pace parse(List<String> words) {
        return new Pace(
                Duration.parse(words.get(0)),
                Duration.parse(words.get(1)),
                Duration.parse(words.get(2)),
                Duration.parse(words.get(3)),
                Duration.parse(words.get(4)));
    }

    List<String> words() {
        return Stream.of(check, ttl, lockWait, lockLease, lease)
                .map(Duration::toString)
                .toList();
    }

    Duration renewEvery() {
        return lease.dividedBy(3);
    }

    /** How long after an old node has overwritten the mark two may be master. */
    Duration longestWindow() {
        return renewEvery().plus(SLACK);
    }

    /** How long nobody may be master, from when somebody can be. */
    Duration longestGap() {
        return ttl.plus(check).plus(SLACK.multipliedBy(4));
    }
}
