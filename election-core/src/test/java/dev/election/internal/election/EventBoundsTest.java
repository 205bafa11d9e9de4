package dev.election.internal.election;

import static dev.election.internal.election.ScriptedStore.granted;
import static dev.election.internal.election.ScriptedStore.held;
import static dev.election.internal.election.ScriptedStore.leader;
import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.ElectionEngine;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.StoreView;
import dev.election.internal.protocol.Attempt;
import dev.election.internal.protocol.EventBounds;
import dev.election.internal.protocol.Input;
import dev.election.store.CampaignReply;
import dev.election.store.Held;
import dev.election.store.NodeMessage;
import dev.election.store.ReadReply;
import dev.election.store.RenewReply;
import dev.election.store.StoreEvent;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Anybody may publish who knows the channel: an event says nothing that no node and no store would say. */
class EventBoundsTest {

    private static final Duration LEASE = ElectionFixture.LEASE;
    private static final Duration DAY = Duration.ofDays(1);
    private static final Instant WALL = Instant.parse("2026-01-01T00:00:00Z");
    private static final Attempt ATTEMPT =
            new Attempt(1, ElectionFixture.IDENTITY.in("reports").candidate(1), 0);
    private static final FencingToken HIGHEST = new FencingToken((1L << 53) - 1);

    private final EventBounds bounds = EventBounds.of(LEASE, EventBounds.AHEAD);

    @AutoClose
    private final LoggedLines log = new LoggedLines(ElectionRunner.class.getName());

    @ParameterizedTest
    @MethodSource("eventsOfNodesAndStores")
    void what_nodes_and_stores_say_is_believed(StoreEvent event) {
        assertThat(bounds.objection(event, WALL)).isNull();
    }

    static Stream<StoreEvent> eventsOfNodesAndStores() {
        FencingToken token = new FencingToken(WALL.plus(DAY).toEpochMilli());
        return Stream.of(
                acquired(token, LEASE, "a.b-c_d:1", "a.b-c_d:1"),
                acquired(new FencingToken(1), Duration.ZERO, "n", ""),
                new StoreEvent.Released(token, null, Duration.ZERO),
                new StoreEvent.Released(token, "third", Duration.ofDays(365)),
                new StoreEvent.RollCall(),
                new StoreEvent.Connected(),
                asked("r", token, null, DAY, null, Duration.ZERO),
                asked("r", token, DAY, Duration.ZERO, "third", Duration.ofMinutes(1)),
                received(new NodeMessage.AbdicationHeard("r", DAY)));
    }

    @ParameterizedTest
    @MethodSource("eventsOfStrangers")
    void what_no_node_and_no_store_says_is_not(StoreEvent event) {
        assertThat(bounds.objection(event, WALL)).isNotNull().doesNotContain("\n");
    }

    static Stream<StoreEvent> eventsOfStrangers() {
        FencingToken token = new FencingToken(100);
        FencingToken far = new FencingToken(WALL.plus(DAY).toEpochMilli() + 1);
        Duration negative = Duration.ofMillis(-1);
        Duration endless = Duration.ofMillis(Long.MAX_VALUE);
        String line = "n\n12:00 ERROR";
        return Stream.of(
                acquired(far, LEASE, "n", "n"),
                acquired(HIGHEST, LEASE, "n", "n"),
                acquired(token, LEASE.plusMillis(1), "n", "n"),
                acquired(token, endless, "n", "n"),
                acquired(token, negative, "n", "n"),
                acquired(token, LEASE, "", "n"),
                acquired(token, LEASE, "n".repeat(129), "n"),
                acquired(token, LEASE, line, "n"),
                acquired(token, LEASE, "n", line),
                acquired(token, LEASE, "n", "n".repeat(1025)),
                new StoreEvent.Acquired(new Leader("n", "n", token, Instant.ofEpochMilli(Long.MAX_VALUE)), LEASE),
                new StoreEvent.Acquired(new Leader("n", "n", token, Instant.ofEpochMilli(-1)), LEASE),
                new StoreEvent.Released(far, null, Duration.ZERO),
                new StoreEvent.Released(token, null, negative),
                new StoreEvent.Released(token, line, Duration.ZERO),
                asked("r", far, null, Duration.ZERO, null, Duration.ZERO),
                asked(line, token, null, Duration.ZERO, null, Duration.ZERO),
                asked("r", token, DAY.plusMillis(1), Duration.ZERO, null, Duration.ZERO),
                asked("r", token, null, DAY.plusMillis(1), null, Duration.ZERO),
                asked("r", token, null, Duration.ofDays(365), null, Duration.ZERO),
                asked(
                        "r",
                        token,
                        null,
                        Duration.ZERO,
                        "third",
                        Duration.ofMinutes(1).plusMillis(1)),
                new StoreEvent.Invalid(NodeMessage.AbdicationRequested.class, "its drain is negative"),
                asked("r", token, null, Duration.ZERO, line, Duration.ZERO),
                received(new NodeMessage.AbdicationHeard(line, Duration.ZERO)),
                received(new NodeMessage.AbdicationHeard("r", DAY.plusMillis(1))),
                received(new NodeMessage.AbdicationHeard("r", endless)),
                received(new NodeMessage.AbdicationHeard("r", negative)));
    }

    @ParameterizedTest
    @MethodSource("answersOfAStoreWhoseClockIsAYearAhead")
    void the_store_never_says_too_much_to_somebody_whose_clock_is_behind(Input answer) {
        StoreEvent event =
                acquired(new FencingToken(WALL.plus(Duration.ofDays(366)).toEpochMilli()), LEASE, "n", "n");
        assertThat(bounds.objection(event, WALL)).isNotNull();
        assertThat(bounds.after(answer).objection(event, WALL)).isNull();
    }

    static Stream<Input> answersOfAStoreWhoseClockIsAYearAhead() {
        Instant time = WALL.plus(Duration.ofDays(365));
        long token = time.toEpochMilli();
        StoreView free = new StoreView(time, Optional.empty(), Duration.ZERO, List.of());
        return Stream.of(
                new Input.Campaigned(ATTEMPT, granted(token)),
                new Input.Campaigned(ATTEMPT, new CampaignReply.Granted(new FencingToken(1), WALL, time.plus(LEASE))),
                new Input.Campaigned(ATTEMPT, heldSince(time)),
                new Input.Renewed(ATTEMPT, new RenewReply.Renewed(time.plus(LEASE))),
                new Input.Renewed(ATTEMPT, new RenewReply.Lost(heldSince(time))),
                new Input.Looked(ATTEMPT, new ReadReply.Read(free)));
    }

    /** Each raises the token of the next grant, which the store answers, and is followed by another. */
    @Test
    void a_series_of_forged_tokens_does_not_climb() {
        EventBounds known = bounds;
        long highest = 1;
        for (int i = 0; i < 400; i++) {
            FencingToken next = new FencingToken(highest + DAY.toMillis());
            FencingToken utmost = new FencingToken(Math.max(highest, WALL.toEpochMilli()) + DAY.toMillis());
            for (FencingToken forged : List.of(next, utmost)) {
                if (known.objection(new StoreEvent.Released(forged, null, Duration.ZERO), WALL) == null) {
                    highest = Math.max(highest, forged.value());
                }
            }
            CampaignReply granted = new CampaignReply.Granted(new FencingToken(highest + 1), WALL, WALL.plus(LEASE));
            known = known.after(new Input.Campaigned(ATTEMPT, granted));
        }
        assertThat(Duration.ofMillis(highest - WALL.toEpochMilli())).isLessThanOrEqualTo(DAY.plusMillis(400));
    }

    @Test
    void the_token_that_the_store_has_answered_is_believed_however_far_it_is_ahead() {
        long token = WALL.plus(Duration.ofDays(366)).toEpochMilli();
        EventBounds known = bounds.after(new Input.Campaigned(ATTEMPT, held("n", token, LEASE)));
        assertThat(known.objection(new StoreEvent.Released(new FencingToken(token), null, Duration.ZERO), WALL))
                .isNull();
        assertThat(known.objection(new StoreEvent.Released(new FencingToken(token + 1), null, Duration.ZERO), WALL))
                .contains("setting tokens-ahead");
    }

    @Test
    void where_the_clock_of_the_store_was_once_ahead_the_bound_can_be_raised() {
        HandDrivenLoop loop = new HandDrivenLoop();
        ScriptedStore store = new ScriptedStore();
        ElectionEngine engine = ElectionEngine.over(store)
                .tokensAhead(Duration.ofDays(400))
                .loop(loop, loop)
                .callbacks(Runnable::run)
                .build();
        engine.get("reports");
        engine.start();
        loop.settle();
        store.campaigns.remove().answer(held("other", 7, Duration.ofSeconds(12)));
        loop.settle();
        long token = loop.millis() + Duration.ofDays(366).toMillis();
        store.event(new StoreEvent.Released(new FencingToken(token), null, Duration.ZERO));
        loop.settle();
        assertThat(store.campaigns.remove().request().seen()).isEqualTo(token);
    }

    @Test
    void events_do_not_widen_the_bounds_for_the_next_ones() {
        FencingToken tomorrow = new FencingToken(WALL.plus(DAY).toEpochMilli());
        Input.Heard heard = new Input.Heard(acquired(tomorrow, LEASE, "n", "n"));
        assertThat(bounds.after(heard)).isEqualTo(bounds);
    }

    @Test
    void a_token_beyond_all_bounds_is_never_sent_to_the_store() {
        ElectionFixture fixture = following();
        fixture.store.event(acquired(HIGHEST, LEASE, "n", "n"));
        fixture.store.event(new StoreEvent.Released(HIGHEST, null, Duration.ZERO));
        fixture.pass(Duration.ofMillis(12_002));
        assertThat(fixture.store.campaigns.remove().request().seen()).isEqualTo(7);
        assertThat(fixture.election.leader()).contains(leader("other", 7));
    }

    @Test
    void a_lease_that_is_said_to_last_for_a_day_does_not_delay_the_next_attempt() {
        ElectionFixture fixture = following();
        fixture.store.event(acquired(new FencingToken(8), DAY, "n", "n"));
        fixture.pass(Duration.ofMillis(12_002));
        assertThat(fixture.store.campaigns).hasSize(1);
    }

    @Test
    void a_reserve_of_a_year_delays_followers_by_a_lease() {
        ElectionFixture fixture = following();
        fixture.store.event(new StoreEvent.Released(new FencingToken(7), "third", Duration.ofDays(365)));
        fixture.pass(LEASE.minusMillis(1));
        assertThat(fixture.store.campaigns).isEmpty();
        fixture.pass(Duration.ofMillis(2));
        assertThat(fixture.store.campaigns).hasSize(1);
    }

    @Test
    void a_leader_that_is_asked_to_stay_out_for_a_year_goes_on() {
        ElectionFixture fixture = ElectionFixture.leading();
        fixture.store.event(asked("r", new FencingToken(100), null, Duration.ofDays(365), null, Duration.ZERO));
        fixture.loop.settle();
        assertThat(fixture.election.isLeader()).isTrue();
        assertThat(fixture.store.messages).isEmpty();
    }

    @Test
    void a_leader_may_drain_for_longer_than_it_tells() {
        ElectionFixture fixture = ElectionFixture.leading();
        fixture.election.beginWork().orElseThrow();
        fixture.election.abdicate(Abdication.toAnyone().drainingFor(Duration.ofDays(300)));
        fixture.loop.settle();
        fixture.store.event(asked("r", new FencingToken(100), null, Duration.ZERO, null, Duration.ZERO));
        fixture.loop.settle();
        assertThat(fixture.store.messages).containsExactly(new NodeMessage.AbdicationHeard("r", DAY));
    }

    @Test
    void each_kind_is_logged_once_for_each_election_without_what_the_stranger_wrote() {
        ElectionFixture fixture = following();
        for (int i = 0; i < 100; i++) {
            fixture.store.event(acquired(HIGHEST, LEASE, "n", "n"));
            fixture.store.event(acquired(new FencingToken(8), LEASE, "forged\nline", "n"));
            fixture.store.event(new StoreEvent.Released(HIGHEST, null, Duration.ZERO));
        }
        fixture.loop.settle();
        assertThat(log.withLevels())
                .filteredOn(line -> !line.startsWith("INFO "))
                .hasSize(2)
                .allMatch(line -> line.startsWith("WARN "))
                .allMatch(line -> line.contains("election 'reports'") && line.contains(HIGHEST.toString()))
                .noneMatch(line -> line.contains("forged"));
    }

    @Test
    void what_a_message_can_not_say_is_logged_as_one_of_its_kind() {
        ElectionFixture fixture = following();
        fixture.store.event(new StoreEvent.Invalid(NodeMessage.AbdicationRequested.class, "its drain is negative"));
        fixture.store.event(asked("r", HIGHEST, null, Duration.ZERO, null, Duration.ZERO));
        fixture.loop.settle();
        assertThat(log.warnings())
                .singleElement()
                .asString()
                .contains("(AbdicationRequested)", "its drain is negative");
    }

    private static Held heldSince(Instant time) {
        return new Held(new Leader("n", "n:80", new FencingToken(time.toEpochMilli()), time), LEASE, 0);
    }

    private static ElectionFixture following() {
        ElectionFixture fixture = ElectionFixture.started();
        fixture.answerCampaign(held("other", 7, Duration.ofSeconds(12)));
        return fixture;
    }

    private static StoreEvent acquired(FencingToken token, Duration remaining, String node, String address) {
        return new StoreEvent.Acquired(new Leader(node, address, token, WALL), remaining);
    }

    private static StoreEvent asked(
            String request, FencingToken token, Duration drain, Duration cooldown, String successor, Duration reserve) {
        return received(new NodeMessage.AbdicationRequested(
                request, token, new Abdication(drain, cooldown, successor, reserve)));
    }

    private static StoreEvent received(NodeMessage message) {
        return new StoreEvent.Received(message);
    }
}
