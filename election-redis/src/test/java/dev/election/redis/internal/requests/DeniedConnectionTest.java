package dev.election.redis.internal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.redis.client.RedisAccess;
import dev.election.testing.Lettuce;
import dev.election.testing.Nodes;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A server that will say the same until somebody changes something is not asked again and again at full speed. */
@RealTime
class DeniedConnectionTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final LuaScript ANSWER = new LuaScript("answer", "return {'answer'}");
    private static final String RIGHT = "right";

    @AutoClose
    private final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void a_follower_with_a_wrong_password_backs_off_and_is_there_soon_after_it_became_right() {
        server.call(redis -> redis.configSet("requirepass", "another"));
        try (RedisRequests requests = open(false)) {
            assertThat(attemptsIn(requests, Duration.ofSeconds(8))).isLessThan(15);
            long corrected = System.nanoTime();
            Lettuce.call(with("another"), redis -> redis.configSet("requirepass", RIGHT));
            Nodes.await("an answer").until(() -> isAnswered(requests));
            assertThat(Duration.ofNanos(System.nanoTime() - corrected))
                    .isLessThan(LEASE.dividedBy(2).plusSeconds(3));
        }
    }

    @Test
    void a_process_that_may_lead_goes_on_asking_quickly() {
        server.call(redis -> redis.configSet("requirepass", "another"));
        try (RedisRequests requests = open(true)) {
            long begun = System.nanoTime();
            long attempts = 0;
            while (attempts <= 15) {
                attempts += attemptsIn(requests, Duration.ofSeconds(1));
            }
            // It takes eight seconds, and a follower more than twenty, however fast the machine is: its last seven
            // pauses are 2.5 to 5 s.
            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(16));
        }
    }

    /** Of one connection: there are no channels to listen to. */
    private long attemptsIn(RedisRequests requests, Duration time) {
        requests.openOnce();
        long before = Lettuce.connectionsMade(with("another"));
        Nodes.await("attempts").during(time).until(() -> !isAnswered(requests));
        // But for this look.
        return Lettuce.connectionsMade(with("another")) - before - 1;
    }

    private RedisRequests open(boolean mayLead) {
        return RedisRequests.open(RedisAccess.at(with(RIGHT)), LEASE, () -> mayLead);
    }

    private RedisURI with(String password) {
        return RedisURI.builder(server.uri())
                .withPassword(password.toCharArray())
                .build();
    }

    private static boolean isAnswered(RedisRequests requests) {
        CompletableFuture<?> answer =
                requests.run("a", ANSWER, new String[] {"a"}).toCompletableFuture();
        return answer.handle((reply, failure) -> failure == null).join();
    }
}
