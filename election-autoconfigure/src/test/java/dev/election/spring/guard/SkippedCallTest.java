package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.ConditionalOnLeader;
import dev.election.LeaderOnly;
import dev.election.NotLeaderException;
import dev.election.Otherwise;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

class SkippedCallTest {

    private final GuardContext context = new GuardContext().with(Skipping.class, Failing.class);

    @Test
    void a_skipped_call_returns_nothing_in_the_shape_of_its_type() {
        context.withBean(Skipping.class, bean -> {
            bean.nothing();
            assertThat(bean.object()).isNull();
            assertThat(bean.wrapped()).isNull();
            assertThat(bean.list()).isNull();
            assertThat(bean.map()).isNull();
            assertThat(bean.array()).isNull();
            assertThat(bean.optional()).isEmpty();
            assertThat(bean.optionalInt()).isEmpty();
            assertThat(bean.optionalLong()).isEmpty();
            assertThat(bean.optionalDouble()).isEmpty();
            assertThat(bean.stage().toCompletableFuture().get()).isNull();
            assertThat(bean.completable().get()).isNull();
            assertThat(bean.future().get()).isNull();
            assertThat(bean.mono().blockOptional()).isEmpty();
            assertThat(bean.flux().collectList().block()).isEmpty();
            assertThat(Flux.from(bean.publisher()).collectList().block()).isEmpty();
            assertThat(context.elections.get("default").admissions()).isZero();
        });
    }

    @Test
    void the_leader_gets_what_the_method_returns() {
        context.elections.lead("default");
        context.withBean(Skipping.class, bean -> {
            assertThat(bean.object()).isEqualTo("done");
            assertThat(bean.wrapped()).isPositive();
            assertThat(bean.optional()).contains("done");
            assertThat(bean.completable().get()).isEqualTo("done");
            assertThat(bean.future().get()).isEqualTo("done");
            assertThat(bean.mono().block()).isEqualTo("done");
            assertThat(bean.flux().collectList().block()).containsExactly("done", "done");
            assertThat(Flux.from(bean.publisher()).collectList().block()).containsExactly("done");
        });
    }

    @Test
    void a_refused_call_fails_in_the_shape_of_its_type() {
        context.withBean(Failing.class, bean -> {
            refuses(bean::nothing);
            refuses(bean::object);
            refuses(bean::number);
            refuses(bean::optional);
            refuses(() -> bean.mono().block());
            refuses(() -> bean.flux().blockLast());
            refuses(() -> Flux.from(bean.publisher()).blockLast());
            assertThatExceptionOfType(ExecutionException.class)
                    .isThrownBy(() -> bean.future().get())
                    .withCauseInstanceOf(NotLeaderException.class);
            assertThatExceptionOfType(CompletionException.class)
                    .isThrownBy(() -> bean.stage().toCompletableFuture().join())
                    .withCauseInstanceOf(NotLeaderException.class);
        });
    }

    @Test
    void the_refusal_names_the_election() {
        context.withBean(Failing.class, bean -> assertThatExceptionOfType(NotLeaderException.class)
                .isThrownBy(bean::nothing)
                .withMessageContaining("'strict'")
                .satisfies(refusal -> assertThat(refusal.getElection()).isEqualTo("strict")));
    }

    private static void refuses(ThrowingCallable call) {
        assertThatExceptionOfType(NotLeaderException.class).isThrownBy(call);
    }

    @LeaderOnly
    static class Skipping {

        int calls;

        public void nothing() {
            calls++;
        }

        public Object object() {
            return done();
        }

        public Integer wrapped() {
            return ++calls;
        }

        public List<String> list() {
            return List.of(done());
        }

        public Map<String, String> map() {
            return Map.of("is", done());
        }

        public String[] array() {
            return new String[] {done()};
        }

        public Optional<String> optional() {
            return Optional.of(done());
        }

        public OptionalInt optionalInt() {
            return OptionalInt.of(++calls);
        }

        public OptionalLong optionalLong() {
            return OptionalLong.of(++calls);
        }

        public OptionalDouble optionalDouble() {
            return OptionalDouble.of(++calls);
        }

        public CompletionStage<String> stage() {
            return completable();
        }

        public CompletableFuture<String> completable() {
            return CompletableFuture.completedFuture(done());
        }

        public Future<String> future() {
            return completable();
        }

        public Mono<String> mono() {
            return Mono.just(done());
        }

        public Flux<String> flux() {
            return Flux.just(done(), done());
        }

        public Publisher<String> publisher() {
            return mono();
        }

        private String done() {
            calls++;
            return "done";
        }
    }

    @ConditionalOnLeader(election = "strict", otherwise = Otherwise.FAIL)
    static class Failing {

        public void nothing() {}

        public Object object() {
            return "done";
        }

        public int number() {
            return 1;
        }

        public Optional<String> optional() {
            return Optional.of("done");
        }

        public CompletionStage<String> stage() {
            return CompletableFuture.completedFuture("done");
        }

        public Future<String> future() {
            return CompletableFuture.completedFuture("done");
        }

        public Mono<String> mono() {
            return Mono.just("done");
        }

        public Flux<String> flux() {
            return Flux.just("done");
        }

        public Publisher<String> publisher() {
            return mono();
        }
    }
}
