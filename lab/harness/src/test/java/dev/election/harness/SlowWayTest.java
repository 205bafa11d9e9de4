package dev.election.harness;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Conditions.Flow;
import java.io.ByteArrayOutputStream;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** All is lost until so many attempts were made, whenever the machine comes to that. */
class SlowWayTest {

    private final ByteArrayOutputStream arrived = new ByteArrayOutputStream();
    private final AtomicInteger attempts = new AtomicInteger();
    private volatile boolean fine;

    @AutoClose
    private final SlowWay way = new SlowWay(arrived, this::conditions, new Random(), () -> {});

    @Test
    void while_all_is_lost_nothing_comes_and_the_time_between_two_attempts_doubles() throws Exception {
        long begun = System.nanoTime();
        way.send(new byte[3]);
        awaitAttempts(3);
        assertThat(arrived.size()).isZero();
        fine = true;
        way.awaitArrival();
        assertThat(arrived.size()).isEqualTo(3);
        // 200, 400 and 800 ms after each other.
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(1_400_000_000);
    }

    @Test
    void a_lost_handshake_takes_another_second() throws Exception {
        long begun = System.nanoTime();
        way.shakeHands();
        way.send(new byte[5]);
        awaitAttempts(1);
        assertThat(arrived.size()).isZero();
        fine = true;
        way.awaitArrival();
        assertThat(arrived.size()).isEqualTo(5);
        assertThat(System.nanoTime() - begun).isGreaterThanOrEqualTo(1_000_000_000);
    }

    private Flow conditions() {
        Flow now = fine ? Flow.FREE : new Flow.Slow(1, 0);
        attempts.incrementAndGet();
        return now;
    }

    private void awaitAttempts(int count) throws InterruptedException {
        Wait.until(count + " attempts", Duration.ofSeconds(10), () -> attempts.get() >= count);
    }
}
