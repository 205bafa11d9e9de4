package dev.election.record;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class GatheredRequestsTest {

    private final Queue<List<Integer>> carried = new ConcurrentLinkedQueue<>();

    @AutoClose
    private final KeptConnections<Open> connections =
            new KeptConnections<>("gathered", 1, Duration.ofSeconds(10), new Opening());

    private final GatheredRequests<Open, Integer, Integer> requests = new GatheredRequests<>(
            connections,
            (connection, asked) -> {
                carried.add(asked);
                return asked;
            },
            (some, next) -> true,
            failure -> -1);

    @Test
    void requests_that_are_made_together_are_one_while_others_end() {
        List<CompletionStage<Integer>> answers = new ArrayList<>();
        requests.together(() -> {
            answers.add(requests.ask(1));
            requests.together(() -> answers.add(requests.ask(2)));
            CompletableFuture.runAsync(() -> requests.together(() -> {})).join();
            assertThat(connections
                            .ask(connection -> true, failure -> false)
                            .toCompletableFuture()
                            .join())
                    .isTrue();
            assertThat(carried).isEmpty();
            answers.add(requests.ask(3));
        });
        assertThat(answers)
                .extracting(answer -> answer.toCompletableFuture().join())
                .containsExactly(1, 2, 3);
        assertThat(carried).containsExactly(List.of(1, 2, 3));
    }

    @Test
    void what_another_thread_asks_does_not_wait_for_calls_that_are_made_together() {
        requests.together(() -> assertThat(CompletableFuture.supplyAsync(() -> requests.ask(1))
                        .thenCompose(answer -> answer)
                        .join())
                .isEqualTo(1));
    }

    @Test
    void what_is_asked_because_of_answers_is_one_request() {
        List<CompletableFuture<Integer>> answers = new ArrayList<>();
        requests.together(() -> {
            for (int i = 0; i < 3; i++) {
                int next = 10 + i;
                answers.add(
                        requests.ask(i).thenCompose(done -> requests.ask(next)).toCompletableFuture());
            }
        });
        assertThat(answers).extracting(CompletableFuture::join).containsExactly(10, 11, 12);
        assertThat(carried).containsExactly(List.of(0, 1, 2), List.of(10, 11, 12));
    }

    /** Needs no server. */
    private record Open() implements KeptConnections.Connection {

        @Override
        public boolean isUsable() {
            return true;
        }

        @Override
        public boolean isOver() {
            return false;
        }

        @Override
        public void close() {}
    }

    private record Opening() implements KeptConnections.Kind<Open> {

        @Override
        public Open open() {
            return new Open();
        }

        @Override
        public NoAnswer answer(Throwable failure) {
            return new NoAnswer(StoreProblem.UNKNOWN, String.valueOf(failure.getMessage()), "");
        }
    }
}
