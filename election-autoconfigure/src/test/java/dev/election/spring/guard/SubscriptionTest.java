package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.testing.HandDrivenElection;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;

/** What a method that returns a publisher describes is done when somebody subscribes, and only then does the guard decide. */
class SubscriptionTest {

    private final GuardContext context = new GuardContext().with(Worker.class);
    private final HandDrivenElection election = context.elections.get("default");

    @Test
    void a_publisher_that_was_asked_for_before_the_election_runs_once_the_node_leads() {
        context.withBean(Worker.class, bean -> {
            Mono<String> mono = bean.mono(() -> Mono.just("done"));
            Flux<String> flux = bean.flux(() -> Flux.just("one", "two"));
            assertThat(mono.blockOptional()).isEmpty();
            assertThat(flux.collectList().block()).isEmpty();
            election.lead();
            assertThat(mono.block()).isEqualTo("done");
            assertThat(flux.collectList().block()).containsExactly("one", "two");
            election.follow();
            assertThat(mono.blockOptional()).isEmpty();
        });
    }

    @Test
    void a_scheduler_that_asked_for_the_publisher_at_the_start_runs_it_on_the_leader() {
        context.with(Clockwork.class).withBean(Clockwork.class, bean -> {
            election.lead();
            assertThat(bean.ticked().await(20, TimeUnit.SECONDS)).isTrue();
        });
    }

    @Test
    void the_method_is_called_at_each_subscription_and_never_without_one() {
        election.lead();
        context.withBean(Worker.class, bean -> {
            int[] calls = {0};
            Mono<Integer> mono = bean.mono(() -> Mono.just(++calls[0]));
            assertThat(calls[0]).isZero();
            assertThat(mono.block()).isOne();
            assertThat(mono.block()).isEqualTo(2);
        });
    }

    @Test
    void method_and_work_find_the_token_of_the_leadership_that_they_run_under() {
        election.lead();
        context.withBean(Worker.class, bean -> {
            Mono<String> mono = bean.mono(() -> {
                Optional<FencingToken> described = FencingToken.current();
                return Mono.fromCallable(() -> described + " " + FencingToken.current());
            });
            assertThat(mono.block())
                    .isEqualTo(Optional.of(new FencingToken(1)) + " " + Optional.of(new FencingToken(1)));
            election.follow();
            election.lead();
            assertThat(mono.block())
                    .isEqualTo(Optional.of(new FencingToken(2)) + " " + Optional.of(new FencingToken(2)));
            assertThat(FencingToken.current()).isEmpty();
        });
    }

    @Test
    void work_that_succeeds_is_not_cancelled() {
        election.lead();
        context.withBean(Worker.class, bean -> {
            List<SignalType> ends = new ArrayList<>();
            assertThat(bean.mono(() -> Mono.just("done").doFinally(ends::add)).block())
                    .isEqualTo("done");
            assertThat(bean.flux(() -> Flux.just("one", "two").doFinally(ends::add))
                            .blockLast())
                    .isEqualTo("two");
            assertThat(ends).containsExactly(SignalType.ON_COMPLETE, SignalType.ON_COMPLETE);
        });
    }

    @Test
    void a_method_that_throws_fails_its_subscriber_and_ends_its_work() {
        election.lead();
        context.withBean(Worker.class, bean -> {
            Mono<String> mono = bean.mono(() -> {
                throw new IllegalStateException("broken");
            });
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(mono::block)
                    .withMessage("broken");
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_method_that_returns_no_publisher_has_done_nothing() {
        election.lead();
        context.withBean(Worker.class, bean -> {
            assertThat(bean.mono(() -> null).blockOptional()).isEmpty();
            assertThat(bean.flux(() -> null).collectList().block()).isEmpty();
            assertThat(election.runningWork()).isZero();
        });
    }

    @LeaderOnly
    static class Worker {

        public <T> Mono<T> mono(Supplier<@Nullable Mono<T>> work) {
            return work.get();
        }

        public <T> Flux<T> flux(Supplier<@Nullable Flux<T>> work) {
            return work.get();
        }
    }

    @EnableScheduling
    static class Clockwork {

        private final CountDownLatch ticked = new CountDownLatch(1);

        CountDownLatch ticked() {
            return ticked;
        }

        @LeaderOnly
        @Scheduled(fixedRate = 1)
        public Mono<Void> tick() {
            return Mono.fromRunnable(ticked::countDown);
        }
    }
}
