package dev.election.redis.bridge;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** What is still sent of a campaign when its candidacy is released. */
class ChainsTest {

    private final Chains chains = new Chains();
    private final List<String> sent = new ArrayList<>();
    private final CompletableFuture<String> first = new CompletableFuture<>();

    @Test
    void after_the_release_nothing_more_is_sent() {
        CompletionStage<String> chain = begin("c1");
        chains.end("c1", () -> reply("released"));
        first.complete("granted");
        assertThat(sent).containsExactly("first of c1");
        assertThat(chain.toCompletableFuture()).isCompletedExceptionally();
    }

    @Test
    void a_release_counts_when_the_chains_of_its_candidacy_are_over() {
        begin("c1");
        CompletionStage<String> released = chains.end("c1", () -> reply("released"));
        assertThat(released.toCompletableFuture()).isNotDone();
        first.complete("granted");
        assertThat(released.toCompletableFuture()).isCompletedWithValue("released");
    }

    @Test
    void other_candidacies_go_on() {
        CompletionStage<String> chain = begin("c2");
        assertThat(chains.end("c1", () -> reply("released")).toCompletableFuture())
                .isCompletedWithValue("released");
        first.complete("granted");
        assertThat(sent).containsExactly("first of c2", "second of c2");
        assertThat(chain.toCompletableFuture()).isCompletedWithValue("marked");
    }

    @Test
    void a_chain_that_fails_is_over_too() {
        CompletionStage<String> chain = chains.run("c1", begun -> {
            throw new IllegalStateException("broken");
        });
        assertThat(chain.toCompletableFuture()).isCompletedExceptionally();
        assertThat(chains.end("c1", () -> reply("released")).toCompletableFuture())
                .isCompletedWithValue("released");
    }

    private CompletionStage<String> begin(String candidacy) {
        return chains.run(candidacy, chain -> chain.send(() -> {
                    sent.add("first of " + candidacy);
                    return first;
                })
                .thenCompose(granted -> chain.send(() -> {
                    sent.add("second of " + candidacy);
                    return reply("marked");
                })));
    }

    private static CompletionStage<String> reply(String text) {
        return CompletableFuture.completedFuture(text);
    }
}
