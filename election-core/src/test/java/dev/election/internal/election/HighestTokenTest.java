package dev.election.internal.election;

import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.leader;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.StoreView;
import dev.election.Timing;
import dev.election.internal.protocol.Attempt;
import dev.election.internal.protocol.Departure;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.Knowledge;
import dev.election.internal.protocol.Now;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.protocol.Self;
import dev.election.internal.protocol.State;
import dev.election.store.ReadReply;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A node keeps the highest token that it has heard of, whatever it does with the rest of the news. */
class HighestTokenTest {

    private static final long NOW = 1_000_000_000;
    private static final Self SELF = new Self("e", new NodeInfo("me", "me:80"), "instance");
    private static final Attempt UNDER_WAY = new Attempt(3, SELF.candidate(1), NOW - 1_000_000);
    private static final Attempt EARLIER = new Attempt(2, SELF.candidate(1), NOW - 2_000_000);
    private static final Knowledge KNOWLEDGE = Knowledge.NONE.seeing(new FencingToken(100));

    private final Protocol protocol =
            new Protocol(SELF, ProtocolTimings.of(Timing.ofLease(Duration.ofSeconds(15)), ScriptedStore.TRAITS));

    @ParameterizedTest(name = "{1} in {0}")
    @MethodSource("statesAndInputs")
    void is_kept_in_every_state(State state, Input input) {
        State next = protocol.step(state, input, new Now(NOW, Instant.EPOCH)).state();
        assertThat(next.knowledge().seen()).as("in %s", next).isEqualTo(200);
    }

    static Stream<Arguments> statesAndInputs() {
        return states().flatMap(state -> inputs().map(input -> Arguments.of(state, input)));
    }

    private static Stream<State> states() {
        HeldLease heldLease = new HeldLease(
                SELF.candidate(1),
                leader("me", 100),
                NOW,
                NOW + 14_000_000_000L,
                Instant.EPOCH,
                null,
                NOW + 1,
                false,
                false);
        HeldLease renewing = heldLease.renewing(UNDER_WAY, NOW + 1_000_000_000);
        Departure departure = Departure.abdication(NOW + 1_000_000_000, Abdication.toAnyone());
        return Stream.of(
                new State.Stopped(KNOWLEDGE),
                new State.Following(KNOWLEDGE, null, NOW + 1),
                new State.Following(KNOWLEDGE, UNDER_WAY, NOW + 1),
                new State.Leading(KNOWLEDGE, heldLease),
                new State.Leading(KNOWLEDGE, renewing),
                new State.Draining(KNOWLEDGE, heldLease, departure),
                new State.Draining(KNOWLEDGE, renewing, departure),
                new State.Releasing(KNOWLEDGE, heldLease, departure, UNDER_WAY, NOW + 1, NOW + 2),
                new State.CoolingDown(KNOWLEDGE, NOW + 1_000_000_000, null),
                new State.CoolingDown(KNOWLEDGE, NOW + 1_000_000_000, UNDER_WAY));
    }

    private static Stream<Input> inputs() {
        LeadershipRecord past = new LeadershipRecord(leader("other", 200), Instant.EPOCH, LossReason.EXPIRED);
        StoreView led = new StoreView(Instant.EPOCH, Optional.of(leader("me", 200)), Duration.ofSeconds(9), List.of());
        StoreView free = new StoreView(Instant.EPOCH, Optional.empty(), Duration.ZERO, List.of(past));
        return Stream.concat(
                Stream.of(
                        new Input.Heard(new StoreEvent.Acquired(leader("other", 200), Duration.ofSeconds(9))),
                        new Input.Heard(new StoreEvent.Acquired(leader("me", 200), Duration.ofSeconds(9))),
                        new Input.Heard(new StoreEvent.Released(new FencingToken(200), null, Duration.ZERO))),
                Stream.of(EARLIER, UNDER_WAY)
                        .flatMap(attempt -> Stream.of(
                                new Input.Campaigned(attempt, granted(200)),
                                new Input.Campaigned(attempt, held("other", 200, Duration.ofSeconds(9))),
                                new Input.Renewed(
                                        attempt, new RenewReply.Lost(held("other", 200, Duration.ofSeconds(9)))),
                                new Input.Looked(attempt, new ReadReply.Read(led)),
                                new Input.Looked(attempt, new ReadReply.Read(free)))));
    }
}
