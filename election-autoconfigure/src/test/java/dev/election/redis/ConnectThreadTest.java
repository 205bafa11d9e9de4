package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class ConnectThreadTest {

    private final AtomicBoolean outOfThreads = new AtomicBoolean();
    private final ConnectThread thread = new ConnectThread(task -> {
        if (outOfThreads.get()) {
            throw new OutOfMemoryError("unable to create native thread, as the test wants it");
        }
        return new Thread(task, "connecting");
    });

    @AfterEach
    void shutdown() {
        thread.shutdown();
    }

    @Test
    void an_attempt_that_finds_no_thread_is_made_once_there_are_threads_again() throws Exception {
        CountDownLatch made = new CountDownLatch(1);
        outOfThreads.set(true);
        thread.attemptIn(0, made::countDown);
        thread.ensureStarted();
        assertThat(made.getCount()).isOne();
        outOfThreads.set(false);
        thread.ensureStarted();
        assertThat(made.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void after_the_shutdown_no_attempt_is_made() throws Exception {
        AtomicBoolean made = new AtomicBoolean();
        thread.shutdown();
        thread.attemptIn(0, () -> made.set(true));
        thread.ensureStarted();
        assertThat(thread.awaitEnd(Duration.ofSeconds(10))).isTrue();
        assertThat(made).isFalse();
    }
}
