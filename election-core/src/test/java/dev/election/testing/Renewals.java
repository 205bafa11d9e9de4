package dev.election.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.Leadership;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Renewals of a leadership as its node shows them: each one makes what is left of the lease more. */
public final class Renewals {

    private Renewals() {}

    /** Waits until the leader has renewed so many times. Fails if it does not lead under that token at each look. */
    public static void await(Election leader, FencingToken token, int count) throws InterruptedException {
        for (int i = 0; i < count; i++) {
            Duration before = left(leader, token);
            for (Duration now = before; now.compareTo(before) <= 0; now = left(leader, token)) {
                before = now;
                TimeUnit.MILLISECONDS.sleep(5);
            }
        }
    }

    private static Duration left(Election leader, FencingToken token) {
        Leadership present = leader.leadership().orElse(null);
        assertThat(present).as("the leadership under %s", token).isNotNull();
        assertThat(present.token()).isEqualTo(token);
        return present.remaining();
    }
}
