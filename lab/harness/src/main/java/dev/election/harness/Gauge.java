package dev.election.harness;

import dev.election.harness.Conditions.Flow;
import java.util.concurrent.TimeUnit;

/** How many bytes have come since the conditions became what they are. */
final class Gauge {

    private Conditions since;
    private long passed;
    private boolean hasLost;

    Gauge(Conditions since) {
        this.since = since;
    }

    /** Waits as long as the conditions demand, and says how many of the bytes pass. */
    int passing(Conditions now, Flow flow, int count) throws InterruptedException {
        if (!now.equals(since)) {
            since = now;
            passed = 0;
        }
        int passing = count;
        if (flow instanceof Flow.Late late) {
            TimeUnit.MILLISECONDS.sleep(late.millis());
        } else if (flow instanceof Flow.Narrow narrow) {
            TimeUnit.MILLISECONDS.sleep(1000L * count / narrow.bytesPerSecond());
        } else if (flow instanceof Flow.Lossy lossy) {
            passing = atMost(lossy.bytes(), count);
            hasLost = passing < count;
        } else if (flow instanceof Flow.Reset reset) {
            passing = atMost(reset.bytes(), count);
        }
        passed += passing;
        return passing;
    }

    /** Whether bytes were lost: no stream has a hole, so what comes after never arrives. */
    boolean hasLost() {
        return hasLost;
    }

    boolean hasPassed(int bytes) {
        return passed >= bytes;
    }

    private int atMost(int limit, int count) {
        return (int) Math.max(0, Math.min(count, limit - passed));
    }
}
