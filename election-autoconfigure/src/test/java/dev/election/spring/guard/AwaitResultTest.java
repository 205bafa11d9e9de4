package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeaderOnly;
import dev.election.testing.HandDrivenElection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class AwaitResultTest {

    private final GuardContext context = new GuardContext().with(Worker.class);
    private final HandDrivenElection election = context.elections.get("default");

    @Test
    void a_first_call_waits_for_the_first_result() {
        context.set("election.startup.await-result=10s").withBean(Worker.class, bean -> {
            CompletableFuture<String> call = CompletableFuture.supplyAsync(bean::work);
            assertThat(election.isAwaitedWithin(Duration.ofSeconds(10))).isTrue();
            assertThat(call).isNotDone();
            election.lead();
            assertThat(call.get(10, TimeUnit.SECONDS)).isEqualTo("done");
        });
    }

    @Test
    void a_first_call_is_skipped_when_another_node_has_won() {
        context.set("election.startup.await-result=10s").withBean(Worker.class, bean -> {
            election.follow();
            assertThat(bean.work()).isNull();
        });
    }

    @Test
    void the_wait_is_bounded() {
        context.set("election.startup.await-result=10ms")
                .withBean(Worker.class, bean -> assertThat(bean.work()).isNull());
    }

    @Test
    void no_call_waits_unless_told_to() {
        context.withBean(Worker.class, bean -> {
            assertThat(bean.work()).isNull();
            assertThat(election.isAwaitedWithin(Duration.ZERO)).isFalse();
        });
    }

    @Test
    void an_interrupted_wait_skips_the_call_and_keeps_the_interrupt() {
        context.set("election.startup.await-result=10s").withBean(Worker.class, bean -> {
            Thread.currentThread().interrupt();
            assertThat(bean.work()).isNull();
            assertThat(Thread.interrupted()).isTrue();
        });
    }

    static class Worker {
        @LeaderOnly
        public String work() {
            return "done";
        }
    }
}
