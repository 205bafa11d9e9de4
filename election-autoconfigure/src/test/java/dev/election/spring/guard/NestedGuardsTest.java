package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.ConditionalOnLeader;
import dev.election.CurrentWork;
import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.NotLeaderException;
import dev.election.Otherwise;
import dev.election.testing.HandDrivenElection;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.Async;
import org.springframework.transaction.annotation.Transactional;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A guarded method that runs while its node resigns may call others of its election until its end. */
class NestedGuardsTest {

    private final GuardContext context = new GuardContext().with(Everything.class, Outer.class, Inner.class);
    private final HandDrivenElection election = context.elections.get("default");

    @AutoClose("shutdownNow")
    private final ExecutorService pool = Executors.newFixedThreadPool(2);

    @AutoClose("dispose")
    private final Scheduler scheduler = Schedulers.fromExecutor(pool);

    @BeforeEach
    void lead_both() {
        election.lead();
        context.elections.lead("other");
    }

    @Test
    void a_method_calls_another_one_of_its_election_and_none_of_another_election() {
        with((outer, inner) -> {
            String done = outer.plain(() -> {
                resign();
                return inner.plain() + " " + inner.ofOther();
            });
            assertThat(done).isEqualTo("done null");
            assertThat(inner.plain()).as("outside of running work").isNull();
            assertThat(election.runningWork()).isZero();
        });
    }

    @Test
    void a_refusal_by_exception_is_none_within_running_work() {
        with((outer, inner) -> {
            assertThat(outer.plain(() -> {
                        resign();
                        return inner.strict();
                    }))
                    .isEqualTo("done");
            assertThatExceptionOfType(NotLeaderException.class).isThrownBy(inner::strict);
        });
    }

    @Test
    void work_of_another_election_in_between_hides_nothing() {
        with((outer, inner) -> assertThat(outer.plain(() -> outer.ofOther(() -> {
                    resign();
                    return inner.plain() + " " + inner.ofOther();
                })))
                .isEqualTo("done done"));
    }

    @Test
    void a_method_whose_leadership_is_lost_meanwhile_calls_nothing_any_more() {
        with((outer, inner) -> assertThat(outer.plain(() -> {
                    resign();
                    election.follow();
                    election.lead();
                    election.resign();
                    return inner.plain();
                }))
                .isNull());
    }

    @Test
    void an_asynchronous_body_finds_its_token_and_calls_another_method() {
        with((outer, inner) -> {
            CountDownLatch resigned = new CountDownLatch(1);
            CompletableFuture<String> done = outer.asynchronous(() -> {
                pass(resigned);
                return Thread.currentThread().getName() + " " + FencingToken.current() + " " + inner.plain() + " "
                        + inner.ofOther();
            });
            resign();
            resigned.countDown();
            assertThat(done.get(10, TimeUnit.SECONDS))
                    .startsWith("worker-")
                    .endsWith(" " + Optional.of(new FencingToken(1)) + " done null");
        });
    }

    @Test
    void an_asynchronous_method_is_called_by_another_method() {
        with((outer, inner) -> {
            CompletableFuture<String> done = outer.staged(() -> {
                resign();
                return inner.asynchronous();
            });
            assertThat(done.get(10, TimeUnit.SECONDS)).isEqualTo("done");
        });
    }

    @Test
    void the_thread_of_an_asynchronous_body_keeps_nothing_of_it() {
        with((outer, inner) -> {
            outer.asynchronous(() -> "done").get(10, TimeUnit.SECONDS);
            String left =
                    outer.unguarded(() -> FencingToken.current().toString()).get(10, TimeUnit.SECONDS);
            assertThat(left).isEqualTo(Optional.empty().toString());
        });
    }

    @Test
    void a_stage_made_by_hand_takes_its_work_along() {
        with((outer, inner) -> {
            CountDownLatch resigned = new CountDownLatch(1);
            CompletableFuture<String> done = outer.staged(() -> CompletableFuture.supplyAsync(
                    () -> {
                        pass(resigned);
                        return inner.plain() + " " + inner.ofOther();
                    },
                    CurrentWork.get().on(pool)));
            resign();
            resigned.countDown();
            assertThat(done.get(10, TimeUnit.SECONDS)).isEqualTo("done null");
        });
    }

    @Test
    void what_was_taken_along_calls_nothing_any_more_when_the_work_has_ended() {
        with((outer, inner) -> {
            CountDownLatch ended = new CountDownLatch(1);
            CompletableFuture<?>[] late = new CompletableFuture<?>[1];
            outer.plain(() -> {
                late[0] = CompletableFuture.supplyAsync(
                        () -> {
                            pass(ended);
                            return String.valueOf(inner.plain());
                        },
                        CurrentWork.get().on(pool));
                return "done";
            });
            outer.plain(() -> {
                resign();
                ended.countDown();
                assertThat(late[0].join()).as("while other work runs").isEqualTo("null");
                return "done";
            });
        });
    }

    @Test
    void a_publisher_subscribes_to_another_one_on_any_thread() {
        with((outer, inner) -> {
            Mono<String> mono = outer.mono(
                    () -> Mono.fromRunnable(this::resign).publishOn(scheduler).then(Mono.defer(() -> inner.mono()
                            .subscribeOn(scheduler))));
            assertThat(mono.block()).isEqualTo("done");
            election.lead();
            Flux<String> flux = outer.flux(() -> Flux.just(1, 2)
                    .doFirst(this::resign)
                    .publishOn(scheduler)
                    .concatMap(number -> inner.flux().publishOn(scheduler))
                    .concatWith(Flux.defer(inner::flux)));
            assertThat(flux.collectList().block()).containsExactly("done", "done", "done");
            assertThat(inner.mono().blockOptional()).isEmpty();
        });
    }

    @Test
    void a_publisher_of_another_election_stays_empty_and_hides_nothing() {
        with((outer, inner) -> {
            Mono<String> mono = outer.mono(() -> Mono.fromRunnable(this::resign)
                    .publishOn(scheduler)
                    .then(Mono.defer(() -> inner.ofOtherLater().defaultIfEmpty("nothing"))));
            assertThat(mono.block()).isEqualTo("nothing");
            election.lead();
            context.elections.lead("other");
            Mono<String> both = outer.mono(() -> outer.ofOtherLater(
                    () -> Mono.fromRunnable(this::resign).publishOn(scheduler).then(Mono.defer(inner::mono))));
            assertThat(both.block()).isEqualTo("done");
        });
    }

    @Test
    void a_publisher_hands_nothing_to_what_comes_after_it() {
        with((outer, inner) -> {
            Mono<String> after = outer.mono(
                            () -> Mono.fromRunnable(this::resign).thenReturn("done"))
                    .publishOn(scheduler)
                    .flatMap(done -> inner.mono().defaultIfEmpty("nothing"));
            assertThat(after.block()).isEqualTo("nothing");
        });
    }

    /** Neither election admits anything new from here on. */
    private void resign() {
        election.resign();
        context.elections.get("other").resign();
    }

    private void with(Use test) {
        context.run(started -> test.of(started.getBean(Outer.class), started.getBean(Inner.class)));
    }

    private static void pass(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private interface Use {
        void of(Outer outer, Inner inner) throws Exception;
    }

    static class Outer {

        @LeaderOnly
        public @Nullable String plain(Supplier<@Nullable String> work) {
            return work.get();
        }

        @LeaderOnly("other")
        public @Nullable String ofOther(Supplier<@Nullable String> work) {
            return work.get();
        }

        @Async
        @LeaderOnly
        @Transactional
        public CompletableFuture<String> asynchronous(Supplier<String> work) {
            return CompletableFuture.completedFuture(work.get());
        }

        @Async
        public CompletableFuture<String> unguarded(Supplier<String> work) {
            return CompletableFuture.completedFuture(work.get());
        }

        @LeaderOnly
        public CompletableFuture<String> staged(Supplier<CompletableFuture<String>> work) {
            return work.get();
        }

        @LeaderOnly
        public Mono<String> mono(Supplier<Mono<String>> work) {
            return work.get();
        }

        @LeaderOnly("other")
        public Mono<String> ofOtherLater(Supplier<Mono<String>> work) {
            return work.get();
        }

        @LeaderOnly
        public Flux<String> flux(Supplier<Flux<String>> work) {
            return work.get();
        }
    }

    static class Inner {

        @LeaderOnly
        public @Nullable String plain() {
            return "done";
        }

        @ConditionalOnLeader(otherwise = Otherwise.FAIL)
        public String strict() {
            return "done";
        }

        @LeaderOnly("other")
        public @Nullable String ofOther() {
            return "done";
        }

        @LeaderOnly
        @Async
        public CompletableFuture<String> asynchronous() {
            return CompletableFuture.completedFuture("done");
        }

        @LeaderOnly
        public Mono<String> mono() {
            return Mono.just("done");
        }

        @LeaderOnly("other")
        public Mono<String> ofOtherLater() {
            return Mono.just("done");
        }

        @LeaderOnly
        public Flux<String> flux() {
            return Flux.just("done");
        }
    }
}
