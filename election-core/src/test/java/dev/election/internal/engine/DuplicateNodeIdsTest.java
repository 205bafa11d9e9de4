package dev.election.internal.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.NodeEvent;
import dev.election.store.NodeEvent.Connected;
import dev.election.store.NodeEvent.Present;
import dev.election.store.NodeMessaging;
import dev.election.store.StoreEvent;
import dev.election.support.RandomId;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

class DuplicateNodeIdsTest {

    private static final Duration A_LEASE = ElectionFixture.LEASE;

    private final HandDrivenLoop loop = new HandDrivenLoop();
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger elections = (Logger) LoggerFactory.getLogger("dev.election");
    private ScriptedStore store = new ScriptedStore();
    private ElectionEngine engine = started(store);

    @BeforeEach
    void readTheLog() {
        log.start();
        elections.addAppender(log);
        elections.setLevel(Level.INFO);
    }

    @AfterEach
    void leaveTheLog() {
        elections.detachAppender(log);
        elections.setLevel(null);
    }

    @Test
    void calls_once_for_all_elections_and_all_connections_of_a_store_that_comes_back() {
        store.event(new StoreEvent.Connected());
        hear(new Connected());
        loop.pass(Duration.ofMillis(20));
        hear(new Connected());
        loop.pass(Duration.ofMillis(500));
        hear(new Connected());
        assertThat(store.presences).as("while the campaigns need the store").isEmpty();
        loop.pass(A_LEASE);
        assertThat(store.presences).singleElement().satisfies(call -> assertThat(call.isAnswer())
                .isFalse());
        assertThat(store.messages).as("to the elections").isEmpty();
    }

    @Test
    void calls_again_when_the_store_comes_back_again() {
        call();
        hear(new Connected());
        loop.pass(A_LEASE);
        assertThat(store.presences).hasSize(2);
    }

    @Test
    void who_has_stopped_neither_calls_nor_answers_nor_warns() {
        hear(new Connected());
        hear(new Present("another", false));
        engine.stop();
        hear(new Present("third", false));
        loop.pass(A_LEASE);
        assertThat(store.presences).isEmpty();
        assertThat(warnings()).as("of the other one").isEqualTo(1);
    }

    @Test
    void who_is_started_again_listens_again() {
        engine.stop();
        loop.settle();
        engine.start();
        loop.settle();
        call();
        assertThat(store.presences).hasSize(1);
    }

    @Test
    void a_duplicate_that_announces_itself_is_answered_and_one_that_answers_is_not() {
        hear(new Present("another", true));
        loop.pass(A_LEASE);
        assertThat(store.presences).isEmpty();
        hear(new Present("third", false));
        loop.pass(A_LEASE);
        assertThat(store.presences).singleElement().satisfies(answer -> assertThat(answer.isAnswer())
                .isTrue());
        assertThat(warnings()).isEqualTo(2);
    }

    @Test
    void each_duplicate_is_reported_once_however_often_it_announces_itself() {
        hear(new Present("another", false));
        hear(new Present("another", true));
        hear(new Present("another", false));
        assertThat(warnings()).isEqualTo(1);
    }

    @Test
    void what_it_said_before_it_was_started_again_comes_from_nobody_else() {
        Present own = call();
        engine.stop();
        loop.settle();
        engine.start();
        loop.settle();
        hear(own);
        loop.pass(A_LEASE);
        assertThat(warnings()).isZero();
        assertThat(store.presences).hasSize(1);
    }

    @Test
    void itself_is_nobody_else() {
        Present own = call();
        hear(own);
        loop.pass(A_LEASE);
        assertThat(store.presences).hasSize(1);
        assertThat(warnings()).isZero();
    }

    @Test
    void many_duplicates_that_announce_themselves_at_a_time_are_answered_once() {
        IntStream.range(0, 1000).forEach(i -> hear(new Present("another-" + i, false)));
        loop.pass(A_LEASE);
        assertThat(store.presences).hasSize(1);
    }

    @Test
    void a_duplicate_that_another_has_answered_is_not_answered_again() {
        hear(new Present("another", false));
        hear(new Present("third", true));
        loop.pass(A_LEASE);
        assertThat(store.presences).isEmpty();
    }

    @Test
    void invented_duplicates_are_reported_a_bounded_number_of_times() {
        IntStream.range(0, 1000).forEach(i -> hear(new Present("invented-" + i, true)));
        assertThat(warnings()).isEqualTo(100);
    }

    @Test
    void over_a_store_that_passes_no_messages_on_nobody_calls() {
        store = ScriptedStore.withoutMessaging();
        engine = started(store);
        store.event(new StoreEvent.Connected());
        loop.pass(A_LEASE);
        assertThat(store.presences).isEmpty();
        assertThat(store.campaigns).as("the elections").isNotEmpty();
    }

    @Test
    void a_store_that_carries_no_messages_is_told_of_once() {
        LeaseStore mute = new ForwardingLeaseStore(new ScriptedStore()) {
            @Override
            public Optional<NodeMessaging> messaging() {
                return Optional.empty();
            }
        };
        started(mute);
        loop.pass(A_LEASE);
        assertThat(log.list.stream().map(ILoggingEvent::getFormattedMessage))
                .filteredOn(line -> line.startsWith("The store carries no messages between nodes"))
                .hasSize(1);
    }

    @Test
    void many_processes_spread_their_calls_over_a_time_that_is_short_against_the_lease() {
        ProtocolTimings timings = ProtocolTimings.of(Timing.ofLease(A_LEASE), ScriptedStore.TRAITS);
        assertThat(IntStream.range(0, 1000)
                        .map(process -> RandomId.ofBytes(12).hashCode())
                        .mapToLong(timings::callAfter))
                .allMatch(delay -> delay >= timings.patience() && delay <= A_LEASE.toNanos() / 3)
                .satisfies(
                        delays -> assertThat(delays.stream().distinct().count()).isGreaterThan(500));
    }

    private long warnings() {
        return log.list.stream()
                .map(ILoggingEvent::getFormattedMessage)
                .filter(line -> line.startsWith(
                        "Another live process takes part in elections in this store with the same node id me:"))
                .count();
    }

    private Present call() {
        hear(new Connected());
        loop.pass(A_LEASE);
        return store.presences.getLast();
    }

    private void hear(NodeEvent event) {
        store.nodeEvent(event);
        loop.settle();
    }

    private ElectionEngine started(LeaseStore over) {
        ElectionEngine made = ElectionEngine.over(over)
                .as(new NodeInfo("me", "me:80"))
                .timing(Timing.ofLease(A_LEASE))
                .loop(loop, loop)
                .callbacks(Runnable::run)
                .build();
        made.get("reports");
        made.start();
        made.get("invoices");
        loop.settle();
        return made;
    }
}
