package dev.election.fencing.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.FencingToken;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Each resource is raised once to each token. */
class RaisedTokensTest {

    private final RaisedTokens raised = new RaisedTokens();
    private final AtomicInteger raises = new AtomicInteger();

    @Test
    void what_was_raised_is_not_raised_again_until_there_is_a_newer_token() {
        assertThat(raise(5)).isEmpty();
        assertThat(raise(5)).isEmpty();
        assertThat(raises).hasValue(1);
        assertThat(raise(6)).isEmpty();
        assertThat(raises).hasValue(2);
        assertThat(raise(5)).contains(new FencingToken(6));
        assertThat(raises).hasValue(2);
    }

    @Test
    void what_is_forgotten_is_raised_again_unless_a_newer_token_was_raised_meanwhile() {
        assertThat(raise(5)).isEmpty();
        raised.forget("r", new FencingToken(4));
        assertThat(raise(5)).isEmpty();
        assertThat(raises).hasValue(1);
        raised.forget("r", new FencingToken(5));
        assertThat(raise(5)).isEmpty();
        assertThat(raises).hasValue(2);
    }

    @Test
    void a_raise_that_failed_is_not_remembered() {
        assertThatThrownBy(() -> raised.raiseOnce("r", new FencingToken(5), () -> {
                    throw new IllegalStateException("no database");
                }))
                .hasMessage("no database");
        assertThat(raise(5)).isEmpty();
        assertThat(raises).hasValue(1);
    }

    @Test
    void threads_that_come_first_together_wait_for_one_raise() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(8);
        try {
            Stop stop = new Stop();
            List<CompletableFuture<Optional<FencingToken>>> calls = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                calls.add(CompletableFuture.supplyAsync(
                        () -> raised.raiseOnce("r", new FencingToken(5), () -> {
                            raises.incrementAndGet();
                            stop.run();
                        }),
                        threads));
            }
            stop.awaitReached();
            assertThat(calls).noneMatch(CompletableFuture::isDone);
            stop.goOn();
            for (CompletableFuture<Optional<FencingToken>> call : calls) {
                assertThat(call.get(10, TimeUnit.SECONDS)).isEmpty();
            }
            assertThat(raises).hasValue(1);
        } finally {
            threads.shutdownNow();
        }
    }

    private Optional<FencingToken> raise(long token) {
        return raised.raiseOnce("r", new FencingToken(token), raises::incrementAndGet);
    }
}
