package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.ConditionalOnLeader;
import dev.election.LeaderOnly;
import dev.election.NotLeaderException;
import dev.election.Otherwise;
import dev.election.testing.HandDrivenElection;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

class RunningWorkTest {

    private final GuardContext context = new GuardContext().with(Worker.class);
    private final HandDrivenElection election = context.elections.lead("default");

    @Test
    void a_plain_call_runs_until_it_returns() {
        context.withBean(Worker.class, bean -> {
            assertThat(bean.plain(election::runningWork)).isOne();
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_plain_call_runs_until_it_throws() {
        context.withBean(Worker.class, bean -> {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> bean.plain(() -> {
                        throw new IllegalStateException();
                    }));
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_stage_runs_until_it_completes() {
        context.withBean(Worker.class, bean -> {
            CompletableFuture<String> work = new CompletableFuture<>();
            assertThat(bean.staged(work)).isSameAs(work);
            assertThat(election.runningWork()).isOne();
            work.complete("done");
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_stage_runs_until_it_fails_or_is_cancelled_by_the_caller() {
        context.withBean(Worker.class, bean -> {
            CompletableFuture<String> failing = new CompletableFuture<>();
            bean.staged(failing);
            CompletableFuture<String> cancelled = bean.staged(new CompletableFuture<>());
            assertThat(election.runningWork()).isEqualTo(2);
            failing.completeExceptionally(new IllegalStateException());
            assertThat(election.runningWork()).isOne();
            cancelled.cancel(true);
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void no_stage_and_a_bare_future_run_until_the_method_returns() {
        context.withBean(Worker.class, bean -> {
            assertThat(bean.staged(null)).isNull();
            assertThat(bean.bare(new FutureTask<>(() -> "done"))).isNotDone();
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_mono_runs_with_each_subscription_from_its_begin_to_its_end() {
        context.withBean(Worker.class, bean -> {
            Sinks.One<String> sink = Sinks.one();
            Mono<String> mono = bean.mono(sink.asMono());
            assertThat(election.runningWork()).isZero();
            CompletableFuture<String> first = mono.toFuture();
            CompletableFuture<String> second = mono.toFuture();
            assertThat(election.runningWork()).isEqualTo(2);
            sink.tryEmitValue("done");
            assertThat(first).isCompletedWithValue("done");
            assertThat(second).isCompletedWithValue("done");
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_flux_runs_until_it_completes_fails_or_is_cancelled() {
        context.withBean(Worker.class, bean -> {
            Sinks.Many<String> completing = Sinks.many().multicast().directBestEffort();
            Sinks.Many<String> failing = Sinks.many().multicast().directBestEffort();
            bean.flux(completing.asFlux()).subscribe();
            bean.flux(failing.asFlux()).subscribe(value -> {}, failure -> {});
            Disposable cancelled = bean.flux(Flux.never()).subscribe();
            completing.tryEmitNext("one");
            assertThat(election.runningWork()).isEqualTo(3);
            completing.tryEmitComplete();
            assertThat(election.runningWork()).isEqualTo(2);
            failing.tryEmitError(new IllegalStateException());
            assertThat(election.runningWork()).isOne();
            cancelled.dispose();
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void backpressure_passes_through() {
        context.withBean(Worker.class, bean -> {
            Flux<String> flux = bean.flux(Flux.just("one", "two", "three"));
            OneByOne subscriber = new OneByOne();
            flux.subscribe(subscriber);
            assertThat(election.runningWork()).isOne();
            subscriber.request(2);
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_publisher_that_nobody_subscribes_to_is_no_running_work() {
        context.withBean(Worker.class, bean -> {
            bean.mono(Mono.just("done"));
            bean.flux(Flux.just("done"));
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_subscription_after_the_loss_gets_nothing_or_a_refusal() {
        context.withBean(Worker.class, bean -> {
            Mono<String> mono = bean.mono(Mono.just("done"));
            Flux<String> strict = bean.strict(Flux.just("done"));
            election.follow();
            assertThat(mono.blockOptional()).isEmpty();
            assertThatExceptionOfType(NotLeaderException.class).isThrownBy(strict::blockLast);
            election.lead();
            assertThat(mono.block()).isEqualTo("done");
        });
    }

    private static final class OneByOne extends BaseSubscriber<String> {
        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            subscription.request(1);
        }

        @Override
        protected void hookOnNext(String value) {}
    }

    @LeaderOnly
    static class Worker {

        public Integer plain(Supplier<Integer> work) {
            return work.get();
        }

        public CompletableFuture<String> staged(CompletableFuture<String> work) {
            return work;
        }

        public Future<String> bare(Future<String> work) {
            return work;
        }

        public Mono<String> mono(Mono<String> work) {
            return work;
        }

        public Flux<String> flux(Flux<String> work) {
            return work;
        }

        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        public Flux<String> strict(Flux<String> work) {
            return work;
        }
    }
}
