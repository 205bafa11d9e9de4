package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.OnLoss;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.ReducedClassPath;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class KotlinIsOptionalTest {

    @Test
    void an_application_without_kotlin_is_guarded() {
        ReducedClassPath.without("kotlin").run(Guards.class);
    }

    /** Run with classes of its own. */
    public static final class Guards implements Runnable {

        @Override
        public void run() {
            assertThatExceptionOfType(ClassNotFoundException.class).isThrownBy(() -> Class.forName("kotlin.Unit"));
            GuardContext context = new GuardContext().with(Worker.class);
            HandDrivenElection election = context.elections.get("default");
            context.withBean(Worker.class, bean -> {
                assertThat(bean.plain()).isNull();
                assertThat(bean.mono().blockOptional()).isEmpty();
                election.lead();
                assertThat(bean.plain()).isEqualTo("1");
                assertThat(bean.mono().block()).isEqualTo("1");
                assertThat(bean.staged().join()).isEqualTo("1");
                assertThat(election.runningWork()).isZero();
            });
        }
    }

    @LeaderOnly(onLoss = OnLoss.INTERRUPT)
    static class Worker {

        public String plain() {
            return FencingToken.current().orElseThrow().toString();
        }

        public Mono<String> mono() {
            return Mono.fromCallable(this::plain);
        }

        public CompletableFuture<String> staged() {
            return CompletableFuture.completedFuture(plain());
        }
    }
}
