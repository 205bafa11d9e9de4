package dev.election.spring.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.harness.RedisBinary;
import dev.election.testing.RealTime;
import dev.election.testing.RedisServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.redis.core.StringRedisTemplate;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;

/** Running work ends while the lease is renewed, then the lease is released, then everything else goes. */
@RealTime
class OrderlyShutdownTest {

    private static final String LEASE = "election:{reports}:lease";

    @AutoClose
    private static final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);

    @Test
    void a_half_done_job_ends_under_its_lease_before_the_release() throws Exception {
        ConfigurableApplicationContext context = RedisApplication.run(redis, Jobs.class);
        Jobs.Progress progress = Jobs.Progress.of(context);
        assertThat(progress.begun.await(20, TimeUnit.SECONDS)).isTrue();

        CompletableFuture<Void> closing = CompletableFuture.runAsync(context::close);
        Election election = context.getBean(Elections.class).get("reports");
        await().until(() -> !election.runIfLeader(() -> {}));
        assertThat(election.isLeader()).isTrue();
        awaitRenewal();
        awaitRenewal();
        assertThat(closing).isNotDone();
        assertThat(leases()).isOne();
        progress.mayEnd.countDown();
        closing.get(20, TimeUnit.SECONDS);

        assertThat(progress.trace)
                .containsExactly("begun", "ended under the lease of its token", "wrote by the application's template");
        assertThat(progress.interrupted).isFalse();
        assertThat(leases()).isZero();
        String released = redis.call(commands -> commands.hget("election:{reports}:epoch", "closed"));
        assertThat(released).isEqualTo(progress.token.toString());
        await().untilAsserted(
                        () -> assertThat(RedisApplication.connections(redis)).isZero());
    }

    private static long leases() {
        return redis.call(commands -> commands.exists(LEASE));
    }

    /** The lease has more time left than it had a moment ago. */
    private static void awaitRenewal() {
        long[] last = {Long.MAX_VALUE};
        await().pollInterval(Duration.ofMillis(5)).until(() -> {
            long left = redis.call(commands -> commands.pttl(LEASE));
            boolean renewed = left > last[0];
            last[0] = left;
            return renewed;
        });
    }

    @EnableScheduling
    static class Jobs {

        private final Progress progress = new Progress();
        private final StringRedisTemplate template;

        Jobs(StringRedisTemplate template) {
            this.template = template;
        }

        Progress progress() {
            return progress;
        }

        @Scheduled(fixedDelay = 10)
        @LeaderOnly("reports")
        public void job() {
            if (progress.once.compareAndSet(false, true)) {
                progress.work(template);
            } else {
                progress.trace.add("ran again");
            }
        }

        static final class Progress {

            private final CountDownLatch begun = new CountDownLatch(1);
            private final CountDownLatch mayEnd = new CountDownLatch(1);
            private final AtomicBoolean once = new AtomicBoolean();
            private final AtomicBoolean interrupted = new AtomicBoolean();
            private final List<String> trace = new CopyOnWriteArrayList<>();
            private volatile FencingToken token;

            static Progress of(ConfigurableApplicationContext context) {
                return context.getBean(Jobs.class).progress();
            }

            private void work(StringRedisTemplate template) {
                token = FencingToken.current().orElseThrow();
                trace.add("begun");
                begun.countDown();
                try {
                    mayEnd.await();
                } catch (InterruptedException e) {
                    interrupted.set(true);
                }
                Object held = template.opsForHash().get(LEASE, "token");
                trace.add(
                        token.toString().equals(held)
                                ? "ended under the lease of its token"
                                : "ended too late: " + held);
                template.opsForValue().set("report", "done");
                trace.add("wrote by the application's template");
            }
        }
    }
}
