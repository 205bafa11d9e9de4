package dev.election.redis.internal.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.redis.internal.failure.StoreClosedException;
import io.lettuce.core.RedisCredentials;
import io.lettuce.core.RedisCredentialsProvider;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

/** Providers of credentials that take their time. */
class NonBlockingCredentialsTest {

    private final CountDownLatch gate = new CountDownLatch(1);
    private final AtomicInteger asked = new AtomicInteger();

    /** Hangs when it is asked for the first time. */
    private final RedisCredentialsProvider provider = () -> Mono.fromCallable(() -> {
        int question = asked.incrementAndGet();
        if (question == 1) {
            gate.await();
        }
        return RedisCredentials.just("user" + question, "secret");
    });

    @Test
    void a_provider_that_hangs_is_given_up_asked_once_and_asked_again_when_it_has_answered() {
        NonBlockingCredentials credentials = waitingFor(Duration.ofMillis(500));
        assertThatThrownBy(() -> credentials.resolveCredentials().block(Duration.ofSeconds(20)))
                .hasCauseInstanceOf(TimeoutException.class);
        assertThatThrownBy(() -> credentials.resolveCredentials().block(Duration.ofSeconds(20)))
                .hasCauseInstanceOf(TimeoutException.class);
        assertThat(asked).as("questions while the first is not answered").hasValue(1);

        gate.countDown();

        Awaitility.await("the next question").ignoreExceptions().untilAsserted(() -> {
            RedisCredentials found = credentials.resolveCredentials().block(Duration.ofSeconds(20));
            assertThat(found.getUsername()).isNotEqualTo("user1");
        });
    }

    @Test
    void each_connection_asks_anew() {
        gate.countDown();
        Mono<String> user =
                waitingFor(Duration.ofSeconds(20)).resolveCredentials().map(RedisCredentials::getUsername);

        // Still on the thread of the first answer.
        assertThat(user.zipWhen(first -> user).block(Duration.ofSeconds(20))).containsExactly("user1", "user2");
    }

    @Test
    void no_provider_is_asked_once_the_store_is_closed() {
        CredentialThreads threads = new CredentialThreads();
        NonBlockingCredentials late = new NonBlockingCredentials(provider, threads, Duration.ofMillis(500));
        threads.close();

        assertThatThrownBy(() -> late.resolveCredentials().block(Duration.ofSeconds(20)))
                .isInstanceOf(StoreClosedException.class);
        assertThat(asked).hasValue(0);
    }

    @Test
    void a_question_that_begins_while_the_store_closes_is_interrupted() throws InterruptedException {
        CredentialThreads threads = new CredentialThreads();
        CountDownLatch interrupted = new CountDownLatch(1);
        threads.close();

        threads.scheduler().schedule(() -> {
            try {
                gate.await();
            } catch (InterruptedException e) {
                interrupted.countDown();
            }
        });

        assertThat(interrupted.await(20, TimeUnit.SECONDS)).isTrue();
    }

    private NonBlockingCredentials waitingFor(Duration longest) {
        return new NonBlockingCredentials(provider, new CredentialThreads(), longest);
    }
}
