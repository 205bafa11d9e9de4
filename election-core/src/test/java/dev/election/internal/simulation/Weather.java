package dev.election.internal.simulation;

import java.util.Random;

/** How the network treats messages: each seed has its own climate. Who sends one gives the chances by which it is treated. */
final class Weather {

    private final long lease;
    private final double slow;
    private final double late;
    private double loss;
    private double repeat;
    private boolean calm;
    private long distance;

    Weather(Random random, long lease) {
        this.lease = lease;
        this.loss = random.nextDouble() * 0.2;
        this.repeat = random.nextDouble() * 0.1;
        this.slow = random.nextDouble() * 0.2;
        this.late = random.nextDouble() * 0.15;
    }

    void clear() {
        calm = true;
        loss = 0;
        repeat = 0;
    }

    /** Each message takes that much longer, also when it is calm. */
    void delayBy(long time) {
        distance = time;
    }

    /** How long a message takes at most once it is calm. */
    long slowest() {
        return distance + 4_100_000;
    }

    boolean loses(Random random) {
        return random.nextDouble() < loss;
    }

    int copies(Random random) {
        return random.nextDouble() < repeat ? 2 : 1;
    }

    /** Beside what every message takes: mostly a few milliseconds, at times a good part of a lease, and now and then several leases. */
    long delay(Random random) {
        double drawn = random.nextDouble();
        if (!calm && drawn < late) {
            return distance + (long) (random.nextDouble() * 2.5 * lease);
        }
        if (!calm && drawn < late + slow) {
            return distance + (long) (random.nextDouble() * lease / 3);
        }
        return distance + 100_000 + (long) (random.nextDouble() * 4_000_000);
    }
}
