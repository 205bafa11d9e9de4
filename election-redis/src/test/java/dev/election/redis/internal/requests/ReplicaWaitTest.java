package dev.election.redis.internal.requests;

import static org.assertj.core.api.Assertions.assertThat;

import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.lettuce.core.codec.StringCodec;
import io.lettuce.core.output.IntegerOutput;
import io.lettuce.core.protocol.AsyncCommand;
import io.lettuce.core.protocol.Command;
import io.lettuce.core.protocol.CommandType;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The test answers in the place of Redis. */
class ReplicaWaitTest {

    /** How many replicas each WAIT has named. */
    private final List<Integer> waits = new ArrayList<>();

    private final Deque<CompletableFuture<Long>> unanswered = new ArrayDeque<>();

    private final ReplicaWait wait = new ReplicaWait(redis(), expectingOne(), Duration.ofSeconds(1));

    @Test
    void where_the_reply_names_more_replicas_than_were_known_of_all_are_waited_for_at_once() {
        wait.ask();
        CompletableFuture<Integer> acknowledged =
                wait.acknowledged(List.of("2")).toCompletableFuture();
        answer(1);
        assertThat(waits).containsExactly(1, 2);
        assertThat(acknowledged).isNotDone();
        answer(2);
        assertThat(acknowledged).isCompletedWithValue(2);
    }

    @Test
    void those_that_have_acknowledged_already_are_not_waited_for_again() {
        wait.ask();
        answer(2);
        assertThat(wait.acknowledged(List.of("2")).toCompletableFuture()).isCompletedWithValue(2);
        assertThat(waits).containsExactly(1);
    }

    @Test
    void where_a_replica_that_was_known_of_is_late_the_others_are_not_waited_for() {
        wait.ask();
        answer(0);
        assertThat(wait.acknowledged(List.of("2")).toCompletableFuture()).isCompletedWithValue(0);
        assertThat(waits).containsExactly(1);
    }

    private void answer(long count) {
        unanswered.remove().complete(count);
    }

    private static Acknowledgement expectingOne() {
        return new Acknowledgement() {
            @Override
            public int expected() {
                return 1;
            }

            @Override
            public int needed(List<String> reply) {
                return Integer.parseInt(reply.get(0));
            }
        };
    }

    @SuppressWarnings("unchecked")
    private RedisClusterAsyncCommands<String, String> redis() {
        return (RedisClusterAsyncCommands<String, String>) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {RedisClusterAsyncCommands.class},
                (proxy, method, arguments) -> {
                    assertThat(method.getName()).isEqualTo("waitForReplication");
                    waits.add((Integer) arguments[0]);
                    AsyncCommand<String, String, Long> answer =
                            new AsyncCommand<>(new Command<>(CommandType.WAIT, new IntegerOutput<>(StringCodec.UTF8)));
                    unanswered.add(answer);
                    return answer;
                });
    }
}
