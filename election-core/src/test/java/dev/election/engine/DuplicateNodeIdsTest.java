package dev.election.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.NodeInfo;
import dev.election.protocol.ProtocolTimings;
import dev.election.protocol.Self;
import dev.election.protocol.Timing;
import dev.election.store.NodeMessage;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class DuplicateNodeIdsTest {

    private static final Duration A_LEASE = ElectionFixture.LEASE;

    private final ElectionFixture fixture = ElectionFixture.started();
    private final ScriptedStore store = fixture.store;

    @Test
    void calls_once_for_all_connections_of_a_store_that_comes_back() {
        store.event(new StoreEvent.Connected());
        fixture.pass(Duration.ofMillis(20));
        store.event(new StoreEvent.Connected());
        fixture.pass(Duration.ofMillis(500));
        store.event(new StoreEvent.Connected());
        fixture.loop.settle();
        assertThat(store.messages).as("while the campaigns need the store").isEmpty();
        fixture.pass(A_LEASE);
        assertThat(store.messages).containsExactly(new NodeMessage.Present("me", "instance", false));
    }

    @Test
    void calls_again_when_the_store_comes_back_again() {
        store.event(new StoreEvent.Connected());
        fixture.pass(A_LEASE);
        store.event(new StoreEvent.Connected());
        fixture.pass(A_LEASE);
        assertThat(store.messages).hasSize(2);
    }

    @Test
    void who_has_stopped_does_not_call() {
        store.event(new StoreEvent.Connected());
        fixture.loop.settle();
        fixture.election.stop();
        fixture.loop.settle();
        store.releases.remove().answer(new dev.election.store.ReleaseReply.NotHeld());
        fixture.pass(A_LEASE);
        assertThat(store.messages).isEmpty();
    }

    @Test
    void a_namesake_that_calls_is_answered_at_once_and_one_that_answers_is_not() {
        store.message(new NodeMessage.Present("me", "another", true));
        store.message(new NodeMessage.Present("other", "third", false));
        fixture.loop.settle();
        assertThat(store.messages).isEmpty();
        store.message(new NodeMessage.Present("me", "another", false));
        fixture.loop.settle();
        assertThat(store.messages).containsExactly(new NodeMessage.Present("me", "instance", true));
    }

    @Test
    void over_a_store_that_passes_no_messages_on_nobody_calls() {
        ElectionFixture unheard = ElectionFixture.startedOver(ScriptedStore.withoutMessaging());
        unheard.store.event(new StoreEvent.Connected());
        unheard.store.message(new NodeMessage.Present("me", "another", false));
        unheard.pass(A_LEASE);
        assertThat(unheard.store.messages).isEmpty();
        assertThat(unheard.store.campaigns).as("the election itself").isNotEmpty();
    }

    @Test
    void many_nodes_spread_their_calls_over_a_time_that_is_short_against_the_lease() {
        ProtocolTimings timings = ProtocolTimings.of(Timing.ofLease(A_LEASE), ScriptedStore.TRAITS);
        assertThat(IntStream.range(0, 1000)
                        .map(node -> new Self("e", new NodeInfo("n" + node, ""), RandomId.ofBytes(12)).hashCode())
                        .mapToLong(timings::callAfter))
                .allMatch(delay -> delay >= timings.patience() && delay <= A_LEASE.toNanos() / 3)
                .satisfies(
                        delays -> assertThat(delays.stream().distinct().count()).isGreaterThan(500));
    }
}
