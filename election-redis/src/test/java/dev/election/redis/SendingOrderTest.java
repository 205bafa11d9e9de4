package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.Test;

class SendingOrderTest {

    private final List<Runnable> tasks = new ArrayList<>();
    private Executor thread = Runnable::run;
    private final SendingOrder order = new SendingOrder(task -> thread.execute(task));
    private final List<String> sent = new ArrayList<>();

    @Test
    void messages_over_one_connection_do_not_wait_for_replies() {
        send("first", "1", new CompletableFuture<>());
        send("first", "2", new CompletableFuture<>());
        assertThat(sent).containsExactly("1", "2");
    }

    @Test
    void messages_over_the_next_connection_wait_until_the_former_one_has_answered() {
        CompletableFuture<Long> late = new CompletableFuture<>();
        CompletionStage<Long> first = send("first", "1", late);
        send("next", "2", new CompletableFuture<>());
        send("next", "3", new CompletableFuture<>());
        assertThat(sent).containsExactly("1");
        late.complete(5L);
        assertThat(first.toCompletableFuture()).isCompletedWithValue(5L);
        assertThat(sent).containsExactly("1", "2", "3");
    }

    @Test
    void a_failure_is_told_and_holds_up_nothing() {
        CompletableFuture<Long> lost = new CompletableFuture<>();
        CompletionStage<Long> first = send("first", "1", lost);
        send("next", "2", new CompletableFuture<>());
        lost.completeExceptionally(new IllegalStateException("lost"));
        CompletionStage<Long> refused = order.send("next", () -> {
            throw new IllegalStateException("closed");
        });
        send("next", "3", new CompletableFuture<>());
        assertThat(first.toCompletableFuture()).isCompletedExceptionally();
        assertThat(refused.toCompletableFuture()).isCompletedExceptionally();
        assertThat(sent).containsExactly("1", "2", "3");
    }

    @Test
    void all_are_handed_over_on_the_thread_of_the_connections() {
        thread = tasks::add;
        send("first", "1", new CompletableFuture<>());
        send("first", "2", new CompletableFuture<>());
        assertThat(sent).isEmpty();
        while (!tasks.isEmpty()) {
            tasks.remove(0).run();
        }
        assertThat(sent).containsExactly("1", "2");
    }

    @Test
    void what_a_thread_that_has_ended_refuses_is_told() {
        thread = task -> {
            throw new RejectedExecutionException();
        };
        assertThat(send("first", "1", new CompletableFuture<>()).toCompletableFuture())
                .isCompletedExceptionally();
        thread = Runnable::run;
        send("first", "2", new CompletableFuture<>());
        assertThat(sent).containsExactly("2");
    }

    private CompletionStage<Long> send(String over, String text, CompletableFuture<Long> reply) {
        return order.send(over, () -> {
            sent.add(text);
            return reply;
        });
    }
}
