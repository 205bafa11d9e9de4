package dev.election.redis.internal.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.StoreProblem;
import dev.election.store.NoAnswer;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.RedisConnectionException;
import io.lettuce.core.RedisException;
import java.net.ConnectException;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FailuresTest {

    private static final RedisException REFUSAL =
            new RedisCommandExecutionException("NOREPLICAS Not enough good replicas to write.");

    @Test
    void an_error_of_redis_is_told_with_what_to_do_about_it_in_redis() {
        NoAnswer answer = Failures.noAnswer(new CompletionException(REFUSAL));
        assertThat(answer.problem()).isEqualTo(StoreProblem.TOO_FEW_REPLICAS);
        assertThat(answer.detail()).isEqualTo("NOREPLICAS Not enough good replicas to write.");
        assertThat(answer.action()).contains("min-replicas-to-write");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ERR unknown command 'EVALSHA', with args beginning with: 'a' ",
                "ERR Unknown Redis command called from script script: 1a2b, on @user_script:1.",
                "ERR Error running script (call to f_1a2b): @user_script:1: @user_script: 1: Unknown Redis command"
                        + " called from Lua script"
            })
    void a_command_that_the_server_does_not_have_is_one_that_may_not_be_run(String error) {
        NoAnswer answer = Failures.noAnswer(new RedisCommandExecutionException(error));
        assertThat(answer.problem()).isEqualTo(StoreProblem.FORBIDDEN);
        assertThat(answer.action()).contains("rename-command");
    }

    @Test
    void a_slot_that_is_being_moved_is_told_with_what_to_do_about_it() {
        NoAnswer answer = Failures.noAnswer(
                new RedisCommandExecutionException("TRYAGAIN Multiple keys request during rehashing of slot"));
        assertThat(answer.problem()).isEqualTo(StoreProblem.UNKNOWN);
        assertThat(answer.action()).contains("redis-cli --cluster check");
    }

    @Test
    void a_problem_of_any_store_has_the_action_of_any_store() {
        NoAnswer answer = Failures.noAnswer(new RedisException("gone"));
        assertThat(answer).isEqualTo(new NoAnswer(StoreProblem.UNREACHABLE, "gone"));
    }

    @Test
    void of_several_that_were_asked_each_has_a_problem_of_its_own() {
        RedisException none = new RedisException("none answers");
        CompletionException refused = new CompletionException(new ConnectException("Connection refused"));
        refused.addSuppressed(new NullPointerException("in the client"));
        none.addSuppressed(new CompletionException(new RedisConnectionException("Unable to connect", refused)));
        assertThat(Failures.noAnswer(none).problem()).isEqualTo(StoreProblem.UNREACHABLE);
        none.addSuppressed(new CompletionException(REFUSAL));
        assertThat(Failures.noAnswer(none).problem()).isEqualTo(StoreProblem.TOO_FEW_REPLICAS);
    }

    @Test
    void a_server_that_hangs_up_during_the_handshake_is_asked_again_for_the_reason() {
        assertThat(Failures.isHangUp(new RedisConnectionException(
                        "Unable to connect", new RedisConnectionException("RedisHandshakeHandler not registered"))))
                .isTrue();
        assertThat(Failures.isHangUp(new RedisConnectionException("Connection refused")))
                .isFalse();
    }

    @Test
    void what_a_failure_means_is_found_out_once_and_holds_for_all_that_it_causes() {
        ClassifiedFailure classified = Failures.classified(REFUSAL);
        Throwable later = new CompletionException(new RedisException("The connection was given up", classified));
        assertThat(Failures.classified(later)).isSameAs(classified);
        assertThat(Failures.noAnswer(later)).isSameAs(classified.answer());
    }
}
