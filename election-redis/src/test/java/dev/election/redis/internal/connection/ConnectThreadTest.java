package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class ConnectThreadTest {

    @AutoClose("shutdown")
    private final ConnectThread thread = new ConnectThread("connecting", 1);

    @Test
    void after_the_shutdown_no_attempt_is_made() throws Exception {
        AtomicBoolean made = new AtomicBoolean();
        thread.shutdown();
        thread.attemptIn(0, () -> made.set(true));
        assertThat(thread.awaitEnd(Duration.ofSeconds(10))).isTrue();
        assertThat(made).isFalse();
    }
}
