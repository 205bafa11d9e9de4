package dev.election.jobs.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.jobs.slots.ScheduleSlots;
import dev.election.jobs.slots.ScheduleSlots.Claim;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The ledgers of a node, from one leadership to the next. */
class LedgersTest {

    private static final FencingToken FIRST = new FencingToken(1);
    private static final FencingToken SECOND = new FencingToken(2);
    private static final Duration WITHIN = Duration.ofMinutes(5);
    private static final long NOW = 10_000;

    private final InMemoryLedgerStore ledgerStore = new InMemoryLedgerStore();
    private final SharedLedgers ledgers = node(ledgerStore);
    private final List<Ledger> opened = new ArrayList<>();

    private @Nullable FencingToken leading;

    @Test
    void a_ledger_is_there_from_when_the_store_has_answered_to_the_end_of_the_leadership() {
        CompletableFuture<Void> gate = ledgerStore.holdBack();
        lead(FIRST);
        assertThat(opened).isEmpty();
        assertThat(ledgers.find("default")).isNull();

        gate.complete(null);

        assertThat(opened).hasSize(1);
        assertThat(ledgers.find("default", FIRST)).isSameAs(opened.get(0)).isSameAs(ledgers.find("default"));
        assertThat(ledgers.find("default", SECOND)).isNull();
        assertThat(ledgers.find("other")).isNull();
        ledgers.close("default", FIRST);
        assertThat(ledgers.find("default")).isNull();
    }

    @Test
    void a_leadership_that_is_over_before_the_store_answers_has_no_ledger() {
        CompletableFuture<Void> gate = ledgerStore.holdBack();
        lead(FIRST);
        ledgers.close("default", FIRST);

        gate.complete(null);

        assertThat(opened).isEmpty();
        assertThat(ledgers.find("default")).isNull();
    }

    @Test
    void the_late_end_of_an_earlier_leadership_does_not_close_the_ledger_of_the_present_one() {
        lead(FIRST);
        lead(SECOND);

        ledgers.close("default", FIRST);

        assertThat(ledgers.find("default", SECOND)).isNotNull();
    }

    @Test
    void the_next_leader_runs_no_slot_again_and_looks_for_those_that_were_missed() {
        SchedulerLedger first = lead(FIRST).of("s", WITHIN);
        run(first, 1000, 2000);

        SchedulerLedger second = leadOn(node(ledgerStore), SECOND).of("s", WITHIN);
        ScheduleSlots slots = second.slots("job");
        slots.open();

        assertThat(second.token()).isEqualTo(SECOND);
        assertThat(slots.unsettledFrom(0, NOW)).isEqualTo(2000);
        assertThat(slots.claim(1000)).isEqualTo(Claim.RUN_BEFORE);
        assertThat(slots.claim(2000)).isEqualTo(Claim.GRANTED);
    }

    @Test
    void an_earlier_leader_can_t_spoil_what_its_successor_has_recorded() {
        SchedulerLedger first = lead(FIRST).of("s", WITHIN);
        run(first, 1000, 2000);
        SchedulerLedger second = leadOn(node(ledgerStore), SECOND).of("s", WITHIN);
        run(second, 5000, 6000);

        run(first, 2000, 3000);

        assertThat(ledgerStore.entries("default")).containsExactly(Map.entry("s/slot/job", "5000 6000"));
    }

    @Test
    void schedulers_do_not_share_what_they_record() {
        Ledger ledger = lead(FIRST);
        run(ledger.of("s", WITHIN), 1000, 2000);
        ledger.of("t", WITHIN).recordRunning(Map.of("1", "a job"), Set.of());

        assertThat(ledger.of("s", WITHIN)).isSameAs(ledger.of("s", WITHIN));
        assertThat(ledger.of("t", WITHIN).slots("job").last()).isNull();
        assertThat(ledger.of("s", WITHIN).running()).isEmpty();
        assertThat(ledger.of("t", WITHIN).running()).containsExactly(Map.entry("1", "a job"));
    }

    @Test
    void slots_are_held_back_until_this_leader_has_looked_at_what_was_missed() {
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        assertThat(ledger.begin()).isTrue();
        assertThat(ledger.begin()).as("begun twice").isFalse();
        assertThat(ledger.slots("job").claim(1000)).isEqualTo(Claim.TOO_EARLY);

        ledger.openRest();

        assertThat(ledger.isHeldBack("job")).isTrue();
        assertThat(ledger.isHeldBack("never asked for")).isFalse();
        assertThat(ledger.slots("later").claim(1000)).isEqualTo(Claim.GRANTED);
        ledger.slots("job").open();
        assertThat(ledger.isHeldBack("job")).isFalse();
    }

    @Test
    void jobs_that_run_are_recorded_until_they_end() {
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        ledger.openRest();
        ledger.slots("job").claim(1000);
        ledger.record("job", NOW, Map.of("1", "a job"));
        assertThat(leadOn(node(ledgerStore), SECOND).of("s", WITHIN).running())
                .containsExactly(Map.entry("1", "a job"));

        FencingToken third = new FencingToken(3);
        SchedulerLedger next = leadOn(node(ledgerStore), third).of("s", WITHIN);
        next.recordRunning(Map.of("2", "again"), Set.of("1"));

        assertThat(next.running()).containsExactly(Map.entry("2", "again"));
    }

    @Test
    void what_is_not_recorded_was_run_by_nobody_if_the_ledger_is_known_or_no_other_node_has_led() {
        assertThat(lead(FIRST).of("s", WITHIN).slots("job").unsettledFrom(500, NOW))
                .as("alone")
                .isEqualTo(500);
        SharedLedgers other = node(ledgerStore);
        other.ledByAnother("default");
        assertThat(leadOn(other, SECOND).of("s", WITHIN).slots("job").unsettledFrom(500, NOW))
                .as("the ledger is known")
                .isEqualTo(500);
        ledgerStore.forget();
        assertThat(leadOn(other, new FencingToken(3))
                        .of("s", WITHIN)
                        .slots("job")
                        .unsettledFrom(500, NOW))
                .as("the ledger was lost")
                .isNull();
    }

    @Test
    void a_schedule_that_has_ended_is_forgotten_when_no_slot_can_be_missed_any_more() {
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        run(ledger, "once", 1000, ScheduleSlots.NEVER, NOW);
        long retention = Duration.ofMinutes(65).toMillis();

        run(ledger, 2000, 3000, NOW + retention);
        assertThat(ledgerStore.entries("default")).containsOnlyKeys("s/slot/once", "s/slot/job");
        run(ledger, 3000, 4000, NOW + retention + 1);

        assertThat(ledgerStore.entries("default")).containsOnlyKeys("s/slot/job");
    }

    @Test
    void schedules_that_the_application_knows_no_more_are_forgotten_when_no_slot_can_be_missed_any_more() {
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        run(ledger, "known", 1000, 2000, NOW);
        run(ledger, "unknown", 1000, 2000, NOW);
        long retention = Duration.ofMinutes(65).toMillis();

        ledger.forgetAllBut(Set.of("known"), 2000 + retention);
        assertThat(ledgerStore.entries("default")).hasSize(2);
        ledger.forgetAllBut(Set.of("known"), 2001 + retention);

        assertThat(ledgerStore.entries("default")).containsOnlyKeys("s/slot/known");
    }

    @Test
    void what_the_store_has_lost_is_written_again_from_memory() {
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        run(ledger, "a", 1000, 2000, NOW);
        ledgerStore.forget();

        run(ledger, "b", 1000, 2000, NOW);

        assertThat(ledgerStore.entries("default")).containsOnlyKeys("s/slot/a", "s/slot/b");
    }

    @Test
    void a_ledger_that_a_living_leader_has_written_again_since_a_loss_is_as_intact_as_before() {
        ledgerStore.clock(InstantSource.fixed(Instant.ofEpochMilli(NOW)));
        ledgerStore.intactFor(Duration.ofMillis(NOW));
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        run(ledger, "a", 1000, 2000, NOW);
        loseAllThatIsNotOlder();

        run(ledger, "b", 1000, 2000, NOW);

        assertThat(missedFrom(leadOn(node(ledgerStore), SECOND))).isEqualTo(2000);
    }

    @Test
    void a_ledger_is_not_intact_if_its_leader_led_no_more_when_it_could_write_it_again() {
        ledgerStore.clock(InstantSource.fixed(Instant.ofEpochMilli(NOW)));
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        run(ledger, "a", 1000, 2000, NOW);
        loseAllThatIsNotOlder();
        CompletableFuture<Void> reopened = ledgerStore.holdBack();
        run(ledger, "b", 1000, 2000, NOW);

        leading = null;
        reopened.complete(null);

        assertThat(ledgerStore.entries("default")).containsOnlyKeys("s/slot/a", "s/slot/b");
        assertThat(missedFrom(leadOn(node(ledgerStore), SECOND)))
                .isGreaterThan(NOW + LedgerStore.CLOCKS_APART.toMillis());
    }

    @Test
    void the_first_ledger_of_all_is_as_intact_as_its_store() {
        long late = NOW + LedgerStore.AFTER_A_LOSS.toMillis();
        ledgerStore.clock(InstantSource.fixed(Instant.ofEpochMilli(late)));
        ledgerStore.intactFor(Duration.ofMillis(late));
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        ledger.slots("a").catchUp("a late start", 1000);
        ledger.slots("a").claimMissed(5000);
        ledger.record("a", late, Map.of());

        ScheduleSlots left = leadOn(node(ledgerStore), SECOND).of("s", WITHIN).slots("a");

        assertThat(left.unsettledFrom(0, late))
                .as("what its leader had not caught up when it died")
                .isEqualTo(1000);
    }

    @Test
    void a_new_ledger_may_have_lost_what_was_before_it_if_another_node_has_led() {
        ledgerStore.clock(InstantSource.fixed(Instant.ofEpochMilli(NOW)));
        ledgerStore.intactFor(Duration.ofMillis(NOW));
        ledgers.ledByAnother("default");
        lead(FIRST).of("s", WITHIN);

        assertThat(missedFrom(leadOn(node(ledgerStore), SECOND))).isGreaterThan(NOW);
    }

    @Test
    void an_empty_store_proves_nothing_to_a_node_that_has_led_before_or_has_seen_another_lead() {
        ledgerStore.clock(InstantSource.fixed(Instant.ofEpochMilli(NOW)));
        ledgerStore.intactFor(Duration.ofMillis(NOW));
        run(lead(FIRST).of("s", WITHIN), 1000, 2000);
        assertThat(provenFrom(opened.get(0))).as("the first of all").isLessThan(1000);
        long lossless = NOW + LedgerStore.CLOCKS_APART.toMillis();

        ledgerStore.forget();
        assertThat(provenFrom(leadOn(ledgers, SECOND))).as("led before").isGreaterThan(lossless);
        ledgerStore.forget();
        SharedLedgers other = node(ledgerStore);
        other.ledByAnother("default");
        assertThat(provenFrom(leadOn(other, new FencingToken(3))))
                .as("has seen another lead")
                .isGreaterThan(lossless);
    }

    private static long provenFrom(Ledger ledger) {
        return ledger.of("s", WITHIN).slots("without a record").provenFrom();
    }

    /** The store has lost the ledger, and will be intact only later. */
    private void loseAllThatIsNotOlder() {
        ledgerStore.forget();
        ledgerStore.intactFor(LedgerStore.AFTER_A_LOSS.negated());
    }

    private static Long missedFrom(Ledger ledger) {
        return ledger.of("s", WITHIN).slots("a").unsettledFrom(0, NOW);
    }

    @Test
    void a_slot_whose_claim_the_store_has_refused_as_late_is_never_found_recorded_without_it() {
        AtomicLong now = new AtomicLong(NOW);
        ledgerStore.clock(() -> Instant.ofEpochMilli(now.get()));
        SharedLedgers node =
                node(ledgerStore, WITHIN, () -> Instant.ofEpochMilli(now.get()), () -> now.get() * 1_000_000);
        SchedulerLedger ledger = leadOn(node, FIRST).of("s", WITHIN);
        ledger.openRest();
        ledger.recordJob("job", Set.of("a", "b"));
        CompletableFuture<Void> arrived = ledgerStore.holdBackWrites();
        CompletionStage<Boolean> late = claim(ledger, 1000);
        now.addAndGet(600);
        CompletionStage<Boolean> inTime = claim(ledger, 2000);
        assertThat(ledger.slots("b").claim(1000)).isEqualTo(Claim.RUN_BEFORE);
        ledger.record("b", NOW, Map.of());

        now.addAndGet(600);
        arrived.complete(null);

        assertThat(late).isCompletedWithValue(false);
        assertThat(inTime).isCompletedWithValue(true);
        SchedulerLedger next = leadOn(node(ledgerStore), SECOND).of("s", WITHIN);
        assertThat(next.slots("a").isSettled(1000)).isTrue();
        assertThat(next.claimed()).containsOnly(Map.entry("a@1000", "1000"), Map.entry("a@2000", "2000"));

        ledger.recordRunning(Map.of("a@2000", "begun"), Set.of("a@1000"));
        claim(ledger, 3000);
        assertThat(ledger.claimed()).containsOnly(Map.entry("a@3000", "3000"));
    }

    private static CompletionStage<Boolean> claim(SchedulerLedger ledger, long slot) {
        assertThat(ledger.slots("a").claim(slot)).isEqualTo(Claim.GRANTED);
        return ledger.claim("a", NOW, Map.of("a@" + slot, Long.toString(slot)));
    }

    @Test
    void a_job_runs_once_for_a_time_although_one_of_its_schedules_catches_up_long_before_another() {
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        ScheduleSlots quick = ledger.slots("quick");
        ScheduleSlots slow = ledger.slots("slow");
        quick.catchUp("recovery", 0);
        slow.catchUp("recovery", 0);
        ledger.recordJob("job", Set.of("quick", "slow"));
        for (long slot = 0; slot < 200; slot++) {
            assertThat(quick.claimMissed(slot)).isEqualTo(Claim.GRANTED);
        }
        quick.caughtUp("recovery");
        assertThat(quick.open().claim(200)).isEqualTo(Claim.GRANTED);

        for (long slot = 0; slot <= 200; slot++) {
            slow.catchUp("recovery", slot);
            assertThat(slow.claimMissed(slot)).as("slot " + slot).isEqualTo(Claim.RUN_BEFORE);
        }

        slow.caughtUp("recovery");
        quick.claim(201);
        ledger.record("quick", NOW, Map.of());
        assertThat(ledgerStore.entries("default").get("s/job/job").split(",")).hasSizeLessThan(70);
    }

    @Test
    void a_look_at_each_ledger_that_holds_anything_finds_out_that_the_store_has_lost_it() {
        List.of("a", "b", "empty").forEach(election -> ledgers.open(election, FIRST, () -> true, opened::add));
        run(opened.get(0).of("s", WITHIN), 1000, 2000);
        run(opened.get(1).of("s", WITHIN), 3000, 4000);
        ledgerStore.forget();

        opened.forEach(Ledger::look);

        assertThat(ledgerStore.looks()).containsExactly("a", "b");
        assertThat(ledgerStore.entries("a")).containsOnly(Map.entry("s/slot/job", "1000 2000"));
        assertThat(ledgerStore.entries("b")).containsOnly(Map.entry("s/slot/job", "3000 4000"));
    }

    @Test
    void nothing_looks_at_ledgers_that_hold_nothing_or_whose_leadership_is_over() {
        run(lead(FIRST).of("s", WITHIN), 1000, 2000);
        ledgers.open("empty", FIRST, () -> true, opened::add);
        leading = null;

        opened.forEach(Ledger::look);

        assertThat(ledgerStore.looks()).isEmpty();
    }

    @Test
    void a_node_that_leads_no_more_begins_no_new_ledger() {
        AtomicBoolean leads = new AtomicBoolean(true);
        SharedLedgers node = node(ledgerStore);
        AtomicReference<SchedulerLedger> ledger = new AtomicReference<>();
        node.open("default", FIRST, leads::get, open -> ledger.set(open.of("s", WITHIN)));
        run(ledger.get(), "a", 1000, 2000, NOW);
        leads.set(false);
        ledgerStore.forget();

        run(ledger.get(), "b", 1000, 2000, NOW);

        assertThat(ledgerStore.entries("default")).isEmpty();
        assertThat(((LedgerStore.Opened) ledgerStore
                                .open("default", FIRST)
                                .toCompletableFuture()
                                .join())
                        .known())
                .isFalse();
    }

    @Test
    void what_the_store_did_not_take_is_written_when_it_answers_again() {
        SchedulerLedger ledger = lead(FIRST).of("s", WITHIN);
        ledgerStore.fail(true);
        run(ledger, 1000, 2000);
        assertThat(ledgerStore.entries("default")).isEmpty();

        ledgerStore.fail(false);

        Awaitility.await()
                .until(() -> "1000 2000".equals(ledgerStore.entries("default").get("s/slot/job")));
    }

    @Test
    void a_refusal_to_read_is_a_problem_that_stops_jobs_until_it_is_over() {
        Refusing refusing = new Refusing(ledgerStore);
        SharedLedgers refused = node(refusing);
        try (LoggedLines log = new LoggedLines("dev.election.jobs")) {
            leadOn(refused, FIRST, ledger -> {});

            assertThat(refused.problem("default")).hasValueSatisfying(problem -> {
                assertThat(problem.stopsJobs()).isTrue();
                assertThat(problem.problem()).isEqualTo(StoreProblem.FORBIDDEN);
                assertThat(problem.detail()).isEqualTo("as the test wants it");
                assertThat(problem.since()).isEqualTo(Instant.ofEpochMilli(NOW));
            });
            assertThat(log.with("Scheduled jobs of the election 'default' do not run"))
                    .hasSize(1);
            refusing.refused = false;
            Awaitility.await().until(() -> refused.problem("default").isEmpty());
            Awaitility.await()
                    .untilAsserted(() -> assertThat(log.with("The ledger of the election 'default' can be read again"))
                            .hasSize(1));
        }
    }

    @Test
    void a_ledger_under_a_newer_token_than_that_of_a_leader_that_goes_on_is_a_problem_until_it_is_deleted() {
        leadOn(node(ledgerStore), SECOND);
        Refusing store = new Refusing(ledgerStore);
        store.refused = false;
        SharedLedgers behind = node(store);
        try (LoggedLines log = new LoggedLines("dev.election.jobs")) {
            leadOn(behind, FIRST, opened::add);
            assertThat(behind.problem("default")).as("it may have ended").isEmpty();
            Awaitility.await().until(() -> {
                store.reconnected.run();
                return behind.problem("default").isPresent();
            });
            assertThat(log.with("Scheduled jobs of the election 'default' do not run"))
                    .hasSize(1)
                    .first()
                    .asString()
                    .contains("newer token", "delete the ledger");
            ledgerStore.forget();
            store.reconnected.run();
            Awaitility.await().until(() -> !opened.isEmpty());
            assertThat(behind.problem("default")).isEmpty();
        }
    }

    @Test
    void a_refusal_to_write_is_a_problem_that_stops_nothing() {
        Refusing refusing = new Refusing(ledgerStore);
        refusing.refused = false;
        SharedLedgers refused = node(refusing);
        SchedulerLedger ledger = leadOn(refused, FIRST).of("s", WITHIN);
        refusing.refused = true;

        run(ledger, 1000, 2000);

        assertThat(refused.problem("default"))
                .hasValueSatisfying(problem -> assertThat(problem.stopsJobs()).isFalse());
        assertThat(ledgers.problem("default")).isEmpty();
    }

    @Test
    void a_refusal_to_write_stops_jobs_that_wait_for_it_until_it_is_over() {
        Refusing refusing = new Refusing(ledgerStore);
        refusing.refused = false;
        SharedLedgers refused = node(refusing);
        SchedulerLedger ledger = leadOn(refused, FIRST).of("s", WITHIN);
        refusing.refused = true;

        try (LoggedLines log = new LoggedLines("dev.election.jobs")) {
            assertThat(ledger.isConfirmed(ledger.record("job", NOW, Map.of()))).isFalse();

            assertThat(refused.problem("default")).hasValueSatisfying(problem -> {
                assertThat(problem.stopsJobs()).isTrue();
                assertThat(problem.effect()).isEqualTo(LedgerProblem.Effect.RECORDED_JOBS_WAIT);
            });
            assertThat(ledger.isConfirmed(ledger.record("job", NOW, Map.of()))).isFalse();
            assertThat(log.with("Jobs of the election 'default' that wait until their slots are recorded"))
                    .hasSize(1);
            refusing.refused = false;
            assertThat(ledger.isConfirmed(ledger.record("job", NOW, Map.of()))).isTrue();
            Awaitility.await().until(() -> !log.with("The ledger of the election 'default' can be written again")
                    .isEmpty());
            assertThat(refused.problem("default")).isEmpty();
            refusing.refused = true;
            run(ledger, 1000, 2000);
            assertThat(refused.problem("default"))
                    .as("nothing waits any more")
                    .hasValueSatisfying(
                            problem -> assertThat(problem.stopsJobs()).isFalse());
        }
    }

    @Test
    void what_could_not_be_written_in_an_earlier_leadership_is_no_problem_of_the_next() {
        Refusing refusing = new Refusing(ledgerStore);
        refusing.refused = false;
        SharedLedgers node = node(refusing);
        SchedulerLedger ledger = leadOn(node, FIRST).of("s", WITHIN);
        refusing.refused = true;
        assertThat(ledger.isConfirmed(ledger.record("job", NOW, Map.of()))).isFalse();
        assertThat(node.problem("default")).isPresent();

        node.close("default", FIRST);
        refusing.refused = false;
        leadOn(node, SECOND);

        assertThat(node.problem("default")).isEmpty();
    }

    @Test
    void the_end_of_a_leadership_is_the_end_of_the_problem_of_its_ledger() {
        SharedLedgers refused = node(new Refusing(ledgerStore));
        leadOn(refused, FIRST, ledger -> {});
        assertThat(refused.problem("default")).isPresent();

        leading = null;
        refused.close("default", FIRST);

        assertThat(refused.problem("default")).isEmpty();
    }

    @Test
    void without_a_ledger_store_the_slots_of_this_node_are_known_and_those_of_others_are_not() {
        SharedLedgers unrecorded = node(new NoLedgerStore());
        SchedulerLedger first = leadOn(unrecorded, FIRST).of("s", WITHIN);
        run(first, 1000, 2000);
        unrecorded.close("default", FIRST);

        ScheduleSlots own = leadOn(unrecorded, SECOND).of("s", WITHIN).slots("job");
        unrecorded.ledByAnother("default");
        ScheduleSlots others =
                leadOn(unrecorded, new FencingToken(3)).of("s", WITHIN).slots("job");

        assertThat(own.unsettledFrom(500, NOW)).isEqualTo(2000);
        assertThat(others.unsettledFrom(500, NOW)).isNull();
    }

    private static SharedLedgers node(LedgerStore ledgerStore) {
        return node(
                ledgerStore, Duration.ofMinutes(5), InstantSource.fixed(Instant.ofEpochMilli(NOW)), System::nanoTime);
    }

    private static SharedLedgers node(
            LedgerStore ledgerStore, Duration worth, InstantSource clock, LongSupplier nanos) {
        SharedLedgers node = new SharedLedgers(
                () -> {
                    throw new AssertionError("asked for who leads");
                },
                need -> ledgerStore,
                worth,
                clock,
                nanos);
        node.use(new LedgerUser.Need("a test", "drop it"));
        return node;
    }

    /** This node leads, and its ledger is opened as soon as the ledger lets it. */
    private @Nullable Ledger lead(FencingToken token) {
        leadOn(ledgers, token, opened::add);
        return opened.isEmpty() ? null : opened.get(opened.size() - 1);
    }

    private Ledger leadOn(SharedLedgers node, FencingToken token) {
        List<Ledger> ledger = new ArrayList<>();
        leadOn(node, token, ledger::add);
        return ledger.get(0);
    }

    private void leadOn(SharedLedgers node, FencingToken token, Consumer<Ledger> use) {
        leading = token;
        node.open("default", token, () -> token.equals(leading), use);
    }

    private static void run(SchedulerLedger ledger, long slot, long next) {
        run(ledger, slot, next, NOW);
    }

    private static void run(SchedulerLedger ledger, long slot, long next, long now) {
        run(ledger, "job", slot, next, now);
    }

    private static void run(SchedulerLedger ledger, String schedule, long slot, long next, long now) {
        ScheduleSlots slots = ledger.slots(schedule);
        assertThat(slots.open().claim(slot)).isEqualTo(Claim.GRANTED);
        slots.goesOn(slot, next);
        ledger.record(schedule, now, Map.of());
    }

    /** A store that answers, and refuses. Whoever has to wait for the next try calls the reconnect, at which a leader tries at once. */
    private static final class Refusing implements LedgerStore {

        private static final NoAnswer REFUSAL = new NoAnswer(StoreProblem.FORBIDDEN, "as the test wants it");

        private final LedgerStore ledgerStore;
        private volatile boolean refused = true;
        private volatile Runnable reconnected = () -> {};

        private Refusing(LedgerStore ledgerStore) {
            this.ledgerStore = ledgerStore;
        }

        @Override
        public CompletionStage<OpenReply> open(String election, FencingToken token) {
            return refused ? CompletableFuture.completedFuture(REFUSAL) : ledgerStore.open(election, token);
        }

        @Override
        public CompletionStage<ReadReply> read(String election) {
            return refused ? CompletableFuture.completedFuture(REFUSAL) : ledgerStore.read(election);
        }

        @Override
        public LeaseStore.Subscription listen(String election, Runnable reconnected) {
            this.reconnected = reconnected;
            return () -> {};
        }

        @Override
        public LedgerStore beside(String name) {
            return ledgerStore.beside(name);
        }

        @Override
        public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
            return refused ? CompletableFuture.completedFuture(REFUSAL) : ledgerStore.write(election, token, change);
        }
    }
}
