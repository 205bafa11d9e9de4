package dev.election.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.FencingToken;
import dev.election.LeaderState;
import dev.election.LeaderState.Saved;
import dev.election.LeaderState.WriteOutcome;
import dev.election.internal.election.LedgerState;
import dev.election.store.LedgerStore;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What leaders leave for their successors, over each kind of ledger store. */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class LeaderStateContract {

    /** The ledgers of the store, as another process sees them at each call. */
    protected abstract LedgerStore ledger();

    /** A name that no other test uses. */
    protected abstract String election();

    /** Makes the store lose the state of the election. */
    protected abstract void forgetState();

    @Test
    void a_state_that_nobody_has_written_is_missing_and_an_empty_one_is_not() throws Exception {
        LeaderState leader = node(10);
        assertThat(get(leader.read())).isEmpty();
        assertThat(get(node(0).read())).isEmpty();
        assertThat(get(leader.write(""))).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(get(leader.read())).map(Saved::text).contains("");
    }

    @Test
    void every_node_reads_what_the_leader_has_written_last() throws Exception {
        LeaderState leader = node(10);
        get(leader.write("one"));
        get(leader.write("two, ü\n\\n="));
        for (LeaderState reader : new LeaderState[] {leader, node(0), node(20)}) {
            Saved saved = get(reader.read()).orElseThrow();
            assertThat(saved.text()).isEqualTo("two, ü\n\\n=");
            assertThat(saved.token()).isEqualTo(new FencingToken(10));
            assertThat(saved.at().toEpochMilli()).isPositive();
        }
    }

    @Test
    void a_leader_that_was_paused_can_not_write_once_a_newer_one_has_read() throws Exception {
        LeaderState paused = node(10);
        get(paused.write("old"));
        LeaderState successor = node(20);
        assertThat(get(successor.read())).map(Saved::text).contains("old");
        assertThat(get(paused.write("late"))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(get(node(10).write("late, and again from the start"))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(get(paused.read())).map(Saved::text).contains("old");
        assertThat(get(successor.write("new"))).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(get(paused.read())).map(Saved::text).contains("new");
        assertThat(get(paused.write("late"))).isEqualTo(WriteOutcome.SUPERSEDED);
    }

    @Test
    void a_node_that_does_not_lead_writes_nothing() throws Exception {
        assertThat(get(node(0).write("text"))).isEqualTo(WriteOutcome.NOT_LEADER);
        assertThat(get(node(0).read())).isEmpty();
    }

    @Test
    void a_state_that_the_store_has_lost_is_missing_and_can_be_written_again() throws Exception {
        LeaderState leader = node(10);
        get(leader.write("text"));
        forgetState();
        assertThat(get(node(0).read())).isEmpty();
        assertThat(get(leader.write("again"))).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(get(node(0).read())).map(Saved::text).contains("again");
    }

    @Test
    void a_leader_shuts_out_earlier_ones_again_after_the_store_has_lost_that_it_had() throws Exception {
        LeaderState paused = node(10);
        LeaderState successor = node(20);
        get(successor.read());
        forgetState();
        get(paused.write("late"));
        assertThat(get(successor.write("new"))).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(get(paused.write("later"))).isEqualTo(WriteOutcome.SUPERSEDED);
        assertThat(get(node(0).read())).map(Saved::text).contains("new");
    }

    @Test
    void a_state_has_64_kB_at_most() throws Exception {
        LeaderState leader = node(10);
        String largest = "\n".repeat(LeaderState.MOST_BYTES);
        assertThat(get(leader.write(largest))).isEqualTo(WriteOutcome.WRITTEN);
        assertThat(get(node(0).read())).map(Saved::text).contains(largest);
        assertThatThrownBy(() -> leader.write("ü".repeat(LeaderState.MOST_BYTES / 2) + "x"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("65537 bytes");
    }

    /** A node that leads under that token, or does not if it is 0. */
    private LeaderState node(long token) {
        @Nullable FencingToken own = token == 0 ? null : new FencingToken(token);
        return new LedgerState(election(), ledger(), () -> Optional.ofNullable(own), Runnable::run);
    }

    private static <T> T get(CompletionStage<T> stage) throws Exception {
        return stage.toCompletableFuture().get(10, TimeUnit.SECONDS);
    }
}
