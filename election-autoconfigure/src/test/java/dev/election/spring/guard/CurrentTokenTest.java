package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CurrentTokenTest {

    private final GuardContext context = new GuardContext().with(Worker.class);

    @Test
    void a_guarded_call_finds_its_token_and_leaves_none_behind() {
        context.elections.lead("outer");
        context.withBean(Worker.class, bean -> {
            assertThat(bean.outer(FencingToken::current)).contains(new FencingToken(1));
            assertThat(FencingToken.current()).isEmpty();
        });
    }

    @Test
    void a_nested_call_has_its_own_token_and_the_outer_one_comes_back() {
        context.elections.lead("outer");
        context.elections.lead("inner").lead();
        context.withBean(
                Worker.class,
                bean -> bean.outer(() -> {
                    assertThat(bean.inner(FencingToken::current)).contains(new FencingToken(2));
                    assertThat(FencingToken.current()).contains(new FencingToken(1));
                    return Optional.empty();
                }));
    }

    @Test
    void a_call_that_throws_leaves_no_token_behind() {
        context.elections.lead("outer");
        context.withBean(Worker.class, bean -> {
            assertThatExceptionOfType(IllegalStateException.class)
                    .isThrownBy(() -> bean.outer(() -> {
                        throw new IllegalStateException();
                    }));
            assertThat(FencingToken.current()).isEmpty();
        });
    }

    @Test
    void a_call_keeps_the_token_it_was_admitted_with() {
        context.elections.lead("outer");
        context.withBean(
                Worker.class,
                bean -> bean.outer(() -> {
                    context.elections.follow("outer");
                    context.elections.lead("outer");
                    assertThat(FencingToken.current()).contains(new FencingToken(1));
                    return Optional.empty();
                }));
    }

    static class Worker {

        @LeaderOnly("outer")
        public Optional<FencingToken> outer(Supplier<Optional<FencingToken>> work) {
            return work.get();
        }

        @LeaderOnly("inner")
        public Optional<FencingToken> inner(Supplier<Optional<FencingToken>> work) {
            return work.get();
        }
    }
}
