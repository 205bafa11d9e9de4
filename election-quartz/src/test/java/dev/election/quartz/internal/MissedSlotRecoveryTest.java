package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.jobs.ledger.NoLedgerStore;
import dev.election.jobs.slots.RecordedSlots;
import dev.election.quartz.internal.rules.QuartzData;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import dev.election.testing.LoggedLines;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.quartz.CronScheduleBuilder;
import org.quartz.DateBuilder;
import org.quartz.JobBuilder;
import org.quartz.JobKey;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.SimpleTrigger;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.listeners.SchedulerListenerSupport;

/** What a new leader does about what earlier ones have fired, and have not. */
@RealTime
class MissedSlotRecoveryTest {

    private final Journal journal = new Journal();

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election.quartz");

    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();

    @AutoClose
    private final Opened opened = new Opened();

    @Test
    void slots_that_fell_between_two_leaders_are_fired_once_by_the_second() throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger));
        QuartzNode second = often(QuartzNode.with(ledger));
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("job", 2);

        first.die();
        awaitSlotsAfter(second, 2);
        second.election().lead(2);

        journal.awaitRun("job", 8);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void what_a_node_vetoes_and_what_it_makes_up_for_is_observed() throws Exception {
        AtomicInteger vetoed = new AtomicInteger();
        AtomicInteger recovered = new AtomicInteger();
        QuartzNode first = often(QuartzNode.with(ledger));
        QuartzNode second = often(QuartzNode.with(ledger).observer(counting(vetoed, recovered)));
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("job", 2);

        first.die();
        awaitSlotsAfter(second, 2);
        Journal.await().until(() -> vetoed.get() >= 2);
        assertThat(recovered).hasValue(0);
        second.election().lead(2);

        journal.awaitRun("job", 8);
        Journal.await().until(() -> recovered.get() >= 1);
    }

    @Test
    void a_leader_that_comes_back_fires_what_it_has_vetoed_when_nobody_led() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger));
        node.election().lead(1);
        journal.awaitRun("job", 2);

        node.retire();
        awaitSlotsAfter(node, 2);
        node.election().lead(2);

        journal.awaitRun("job", 7);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void slots_that_a_leader_has_vetoed_while_it_handed_over_in_vain_are_fired_when_it_leads_on() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger));
        node.election().lead(1);
        journal.awaitRun("job", 2);

        node.election().resign();
        Journal.await().until(() -> node.election().runningWork() == 0);
        int before = journal.runs().size();
        awaitSlotsAfter(node, 3);
        assertThat(journal.runs()).hasSize(before);
        node.election().resume();

        journal.awaitRun("job", before + 6);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void late_slots_that_a_leader_has_vetoed_while_it_handed_over_in_vain_are_fired_when_it_leads_on()
            throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger));
        node.election().lead(1);
        journal.awaitRun("job", 2);
        node.retire();
        awaitSlotsAfter(node, 2);

        node.scheduler().standby();
        node.election().lead(2);
        awaitTriggers(node, QuartzData.CATCH_UP_GROUP, 1);
        node.election().resign();
        node.start();
        awaitTriggers(node, QuartzData.CATCH_UP_GROUP, 0);
        node.election().resume();

        journal.awaitRun("job", 8);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void a_one_shot_that_a_leader_has_vetoed_while_it_handed_over_in_vain_is_fired_when_it_leads_on() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger));
        node.election().lead(1);
        journal.awaitRun("job", 1);
        TriggerKey once = new TriggerKey("once");
        node.schedule(
                "once",
                Journal.Recorded.class,
                TriggerBuilder.newTrigger().startAt(new Date(System.currentTimeMillis() + 1000)));
        node.election().resign();
        Journal.await().until(() -> node.scheduler().getTrigger(once) == null);
        assertThat(journal.slots("once")).isEmpty();

        node.election().resume();

        journal.awaitRun("once", 1);
    }

    @Test
    void slots_that_fall_into_the_recovery_of_a_leader_are_fired_after_it_and_not_before() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger));
        node.election().lead(1);
        journal.awaitRun("job", 2);
        node.retire();
        int before = journal.runs().size();

        node.election().recover(2);
        awaitSlotsAfter(node, 3);
        assertThat(journal.runs()).hasSize(before);
        node.election().recovered();

        journal.awaitRun("job", before + 6);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void a_slow_clock_does_not_fire_again_what_a_fast_one_has_fired() throws Exception {
        QuartzNode fast = often(QuartzNode.with(ledger).shift(Duration.ofSeconds(2)));
        QuartzNode slow = often(QuartzNode.with(ledger));
        slow.election().leadElsewhere(1);
        fast.election().lead(1);
        journal.awaitRun("job", 2);

        fast.die();
        slow.election().lead(2);

        journal.awaitRun("job", 6);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void a_fast_clock_fires_what_it_had_vetoed_before_the_slow_one_came_to_it() throws Exception {
        QuartzNode slow = often(QuartzNode.with(ledger));
        QuartzNode fast = often(QuartzNode.with(ledger).shift(Duration.ofSeconds(2)));
        fast.election().leadElsewhere(1);
        slow.election().lead(1);
        journal.awaitRun("job", 2);

        slow.die();
        fast.election().lead(2);

        journal.awaitRun("job", 7);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void what_is_fired_while_the_log_is_being_opened_is_neither_lost_nor_doubled() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger));
        CompletableFuture<Void> opened = ledger.holdBack();
        node.election().lead(1);
        awaitSlotsAfter(node, 2);
        assertThat(journal.runs()).isEmpty();

        opened.complete(null);

        journal.awaitRun("job", 5);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void only_slots_within_the_window_are_fired_late() throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger));
        AtomicInteger lost = new AtomicInteger();
        QuartzNode second = often(
                QuartzNode.with(ledger).recoverWithin(Duration.ofMillis(1200)).observer(new QuartzObserver() {
                    @Override
                    public void lost(String scheduler, String election, int slots) {
                        lost.addAndGet(slots);
                    }
                }));
        first.election().lead(1);
        journal.awaitRun("job", 1);

        first.die();
        long last = journal.slots("job").stream().max(Long::compare).orElseThrow();
        awaitSlotsAfter(second, 12);
        long taken = second.now();
        second.election().lead(2);

        Journal.await().until(() -> journal.slots("job").stream().anyMatch(slot -> slot > taken));
        // Told when all triggers go on, and the next slot may be fired before.
        Journal.await().until(() -> !log.with("does not fire the ").isEmpty());
        long told = second.now();
        long next = journal.slots("job").stream()
                .filter(slot -> slot > last)
                .min(Long::compare)
                .orElseThrow();
        assertThat(next).isBetween(taken - 1200, told - 1200 + 2 * QuartzNode.INTERVAL);
        assertThat(lost).hasValue((int) ((next - last) / QuartzNode.INTERVAL) - 1);
        assertThat(log.with("does not fire the " + lost + " slots from "))
                .singleElement()
                .asString()
                .endsWith("of DEFAULT.job: older than 1.2 s (election.quartz.recover-within)");
    }

    @Test
    void nothing_is_fired_late_if_the_window_is_zero() throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger));
        QuartzNode second = often(QuartzNode.with(ledger).recoverWithin(Duration.ZERO));
        first.election().lead(1);
        journal.awaitRun("job", 1);
        first.die();
        int before = journal.runs().size();
        awaitSlotsAfter(second, 2);
        long taken = second.now();

        second.election().lead(2);

        assertThat(journal.awaitRun("job", before + 1).slot()).isGreaterThan(taken - QuartzNode.INTERVAL);
    }

    @Test
    void of_old_slots_a_trigger_makes_what_its_misfire_instruction_says() throws Exception {
        QuartzNode node = node(QuartzNode.with(ledger));
        node.schedule(
                "job",
                Journal.Recorded.class,
                TriggerBuilder.newTrigger()
                        .startAt(new Date(node.now() - 30_000))
                        .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?")
                                .withMisfireHandlingInstructionDoNothing()));
        node.schedule(
                "once",
                Journal.Recorded.class,
                TriggerBuilder.newTrigger()
                        .startAt(new Date(node.now() - 30_000))
                        .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?")
                                .withMisfireHandlingInstructionFireAndProceed()));
        node.start();
        awaitSlotsAfter(node, 1);
        long taken = node.now();

        node.election().lead(1);

        journal.awaitRun("job", 3);
        journal.awaitRun("once", 3);
        assertThat(journal.slots("job")).allMatch(slot -> slot > taken - 1000 && slot % 1000 == 0);
        assertThat(journal.slots("once")).allMatch(slot -> slot > taken - 1000);
        assertThat(journal.slots("once").stream().filter(slot -> slot % 1000 != 0))
                .as("fired at once, instead of all that were missed")
                .hasSize(1);
    }

    @Test
    void a_one_shot_that_a_follower_has_consumed_is_fired_by_it_when_it_leads() throws Exception {
        QuartzNode node = node(QuartzNode.with(ledger));
        node.schedule(
                        "once",
                        Journal.Recorded.class,
                        TriggerBuilder.newTrigger().usingJobData("answer", 42))
                .start();
        Journal.await()
                .until(() ->
                        node.scheduler().getJobKeys(GroupMatcher.anyGroup()).isEmpty());

        node.election().lead(1);

        journal.awaitRun("once", 1);
        Journal.await()
                .until(() ->
                        node.scheduler().getJobKeys(GroupMatcher.anyGroup()).isEmpty());
        node.retire();
        node.election().lead(2);
        oftenOn(node);
        journal.awaitRun("job", 2);
        assertThat(journal.slots("once")).hasSize(1);
    }

    @Test
    void a_one_shot_whose_leader_is_gone_before_it_fires_it_late_is_fired_when_the_node_leads_again() throws Exception {
        QuartzNode node = node(QuartzNode.with(ledger));
        node.schedule("once", Journal.Recorded.class, TriggerBuilder.newTrigger())
                .start();
        awaitTriggers(node, Scheduler.DEFAULT_GROUP, 0);
        node.scheduler().standby();
        node.election().lead(1);
        awaitTriggers(node, QuartzData.CATCH_UP_GROUP, 1);

        node.election().follow();
        node.start();
        awaitTriggers(node, QuartzData.CATCH_UP_GROUP, 0);
        assertThat(journal.runs()).isEmpty();
        node.election().lead(2);

        journal.awaitRun("once", 1);
    }

    @Test
    void a_one_shot_that_the_leader_has_fired_is_not_fired_by_its_successor() throws Exception {
        Date slot = new Date(System.currentTimeMillis() + 1000);
        QuartzNode first = node(QuartzNode.with(ledger))
                .schedule(
                        "once",
                        Journal.Recorded.class,
                        TriggerBuilder.newTrigger().startAt(slot))
                .start();
        QuartzNode second = node(QuartzNode.with(ledger))
                .schedule(
                        "once",
                        Journal.Recorded.class,
                        TriggerBuilder.newTrigger().startAt(slot))
                .start();
        oftenOn(second);
        first.election().lead(1);
        journal.awaitRun("once", 1);

        first.die();
        second.election().lead(2);

        journal.awaitRun("job", 2);
        assertThat(journal.slots("once")).containsExactly(slot.getTime());
    }

    @Test
    void a_one_shot_of_another_election_that_ends_during_a_take_over_is_left_to_its_own_leader() throws Exception {
        QuartzNode node = oftenOn(node(QuartzNode.with(ledger).group("foreign", "other")));
        Foreign foreign = new Foreign(node.scheduler());
        node.start().election().lead(1);
        journal.awaitRun("job", 2);
        node.retire();
        awaitSlotsAfter(node, 2);
        node.scheduler().getListenerManager().addSchedulerListener(foreign);

        node.election().lead(2);

        Journal.await().until(() -> foreign.triggers().isEmpty());
        journal.awaitRun("job", 7);
        node.election("other").lead(1);
        journal.awaitRun("foreign", Foreign.TRIGGERS);
        assertThat(journal.runs())
                .filteredOn(run -> run.job().equals("foreign"))
                .allMatch(run -> run.token().equals(new FencingToken(1)), "run by their own leader");
    }

    @Test
    void the_last_of_a_few_repetitions_is_not_lost() throws Exception {
        QuartzNode node = node(QuartzNode.with(ledger));
        Date begin = new Date(node.now());
        node.schedule(
                        "few",
                        Journal.Recorded.class,
                        TriggerBuilder.newTrigger()
                                .startAt(begin)
                                .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                                        .withIntervalInMilliseconds(300)
                                        .withRepeatCount(3)
                                        .withMisfireHandlingInstructionIgnoreMisfires()))
                .start();
        Journal.await().until(() -> !node.scheduler().checkExists(new TriggerKey("few")));

        node.election().lead(1);

        journal.awaitRun("few", 4);
        long first = begin.getTime();
        assertThat(journal.slots("few")).containsExactlyInAnyOrder(first, first + 300, first + 600, first + 900);
    }

    @Test
    void how_many_slots_are_caught_up_and_by_which_instruction_is_told_once() throws Exception {
        QuartzNode node = node(QuartzNode.with(ledger));
        Date first = new Date(node.now() - 20_000);
        node.schedule("few", Journal.Recorded.class, tenSlots(first)).start();
        Journal.await().until(() -> !node.scheduler().checkExists(new TriggerKey("few")));

        node.election().lead(1);

        journal.awaitRun("few", 10);
        // Told for all triggers together, and the first ones may be fired before.
        Journal.await().until(() -> !log.with("Nobody fired").isEmpty());
        assertThat(log.with("Nobody fired"))
                .containsExactly("Nobody fired the 10 slots from " + first.toInstant() + " to "
                        + first.toInstant().plusSeconds(9)
                        + " of DEFAULT.few: this leader of 'default' catches up at once, by the misfire instruction"
                        + " IGNORE_MISFIRE_POLICY: each of them is fired");
    }

    @Test
    void catch_ups_of_many_triggers_are_one_line_for_each_instruction() throws Exception {
        QuartzNode node = node(QuartzNode.with(ledger));
        Date first = new Date(node.now() - 20_000);
        for (int i = 0; i < 5; i++) {
            node.schedule("few" + i, Journal.Recorded.class, tenSlots(first));
        }
        node.schedule(
                        "once",
                        Journal.Recorded.class,
                        TriggerBuilder.newTrigger().startAt(first))
                .start();
        Journal.await().until(() -> node.scheduler()
                .getTriggerKeys(GroupMatcher.anyTriggerGroup())
                .isEmpty());

        node.election().lead(1);

        Journal.await().until(() -> log.with("Nobody fired").size() > 1);
        assertThat(log.with("Nobody fired"))
                .satisfiesExactlyInAnyOrder(
                        line -> assertThat(line)
                                .startsWith("Nobody fired the 50 slots from " + first.toInstant() + " to "
                                        + first.toInstant().plusSeconds(9) + " of DEFAULT.few")
                                .contains(" and 2 more triggers: this leader of 'default' catches up at once, by"),
                        line -> assertThat(line)
                                .isEqualTo("Nobody fired the slot " + first.toInstant() + " of DEFAULT.once: this"
                                        + " leader of 'default' catches up at once, by the misfire instruction"
                                        + " SMART_POLICY (FIRE_NOW): one firing for all slots of a trigger"));
        journal.awaitRun("once", 1);
    }

    @Test
    void triggers_that_a_fast_clock_has_fired_are_one_warning() throws Exception {
        QuartzNode node = node(QuartzNode.with(ledger));
        long ahead = (node.now() / 1000 + 600) * 1000;
        FencingToken earlier = new FencingToken(1);
        ledger.open("default", earlier);
        Map<String, String> fired = new HashMap<>();
        for (int i = 0; i < 5; i++) {
            fired.put(QuartzNode.entry("job" + i), ahead + " " + (ahead + 1000));
            node.schedule(
                    "job" + i,
                    Journal.Recorded.class,
                    TriggerBuilder.newTrigger().withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?")));
        }
        ledger.write("default", earlier, fired, Set.of());

        node.election().lead(2);

        Journal.await().until(() -> !log.with("clock is ahead").isEmpty());
        assertThat(log.with("clock is ahead"))
                .singleElement()
                .asString()
                .startsWith("An earlier leader, whose clock is ahead of this node's, has fired the 5 slots from "
                        + Instant.ofEpochMilli(ahead) + " to ")
                .contains(" and 2 more triggers. No trigger is fired again for the same time");
        assertThat(journal.runs()).isEmpty();
    }

    @Test
    void a_leader_whose_scheduler_is_not_started_says_that_it_catches_up_when_it_is() throws Exception {
        QuartzNode node = node(QuartzNode.with(ledger));
        long last = (node.now() / 1000 - 15) * 1000;
        FencingToken earlier = new FencingToken(1);
        ledger.open("default", earlier);
        ledger.write("default", earlier, Map.of(QuartzNode.entry("job"), last + " " + (last + 1000)), Set.of());
        ledger.age(Duration.ofHours(1));
        node.schedule(
                "job",
                Journal.Recorded.class,
                TriggerBuilder.newTrigger()
                        .withSchedule(CronScheduleBuilder.cronSchedule("* * * * * ?")
                                .withMisfireHandlingInstructionIgnoreMisfires()));

        node.election().lead(2);

        Journal.await().until(() -> !log.with("Nobody fired").isEmpty());
        assertThat(log.with("Nobody fired"))
                .singleElement()
                .asString()
                .startsWith("Nobody fired the 1")
                .contains(" slots from " + Instant.ofEpochMilli(last + 1000) + " to ")
                .contains("catches up as soon as the scheduler 'node' is started, by the misfire instruction");
        assertThat(journal.runs()).isEmpty();
        // If the scheduler started now, it could have missed one slot more and log that one, too.
        node.awaitCaughtUp("job");
        node.start();
        journal.awaitRun("job", 16);
        journal.assertThatEachSlotWasFiredOnce("job", 1000);
        assertThat(log.with("Nobody fired")).hasSize(1);
    }

    @Test
    void a_paused_trigger_has_missed_nothing() throws Exception {
        QuartzNode node = oftenOn(node(QuartzNode.with(ledger)));
        node.scheduler().pauseTrigger(new TriggerKey("job"));
        node.schedule("other", Journal.Recorded.class, TriggerBuilder.newTrigger())
                .start();

        node.election().lead(1);

        journal.awaitRun("other", 1);
        assertThat(journal.slots("job")).isEmpty();
        assertThat(node.scheduler().getTriggersOfJob(new JobKey("job"))).hasSize(1);
    }

    @Test
    void a_node_that_finds_no_log_fires_nothing_late_that_another_may_have_fired() throws Exception {
        QuartzNode node = often(QuartzNode.with(new NoLedgerStore()));
        node.election().leadElsewhere(1);
        awaitSlotsAfter(node, 2);
        long taken = node.now();

        node.election().lead(2);

        assertThat(journal.awaitRun("job", 1).slot()).isGreaterThan(taken - QuartzNode.INTERVAL);
    }

    @Test
    void a_leader_writes_down_again_what_a_store_has_lost() throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger));
        QuartzNode second = often(QuartzNode.with(ledger));
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("job", 2);
        ledger.forget();
        int before = journal.runs().size();
        journal.awaitRun("job", before + 1);
        Journal.await().until(() -> !ledger.entries("default").isEmpty());

        first.die();
        second.election().lead(2);

        journal.awaitRun("job", before + 5);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void a_node_that_leads_again_knows_what_it_fired_while_the_store_failed() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger));
        node.election().lead(1);
        journal.awaitRun("job", 1);
        ledger.fail(true);
        journal.awaitRun("job", 3);

        node.retire();
        ledger.fail(false);
        node.election().lead(2);

        journal.awaitRun("job", 7);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void what_was_fired_while_the_store_failed_is_written_down_when_leadership_is_over() throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger));
        QuartzNode second = often(QuartzNode.with(ledger));
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("job", 1);
        ledger.fail(true);
        journal.awaitRun("job", 3);
        first.retire();
        List<Long> fired = journal.slots("job");

        ledger.fail(false);

        // All of them: slots may overtake each other, and the latest may have been written before the store failed.
        Journal.await().until(() -> {
            String entry = ledger.entries("default").get(QuartzNode.entry("job"));
            return entry != null && fired.stream().allMatch(slot -> RecordedSlots.isSettled(entry, slot));
        });
        second.election().lead(2);
        journal.awaitRun("job", 7);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void a_node_that_leads_again_knows_what_it_fired_though_the_store_has_forgotten_it_or_there_is_none()
            throws Exception {
        for (LedgerStore lost : new LedgerStore[] {ledger, new NoLedgerStore()}) {
            QuartzNode node = node(QuartzNode.with(lost));
            String job = lost == ledger ? "forgotten" : "unwritten";
            oftenOn(node, job).start();
            node.election().lead(1);
            journal.awaitRun(job, 2);

            node.retire();
            ledger.forget();
            node.election().lead(2);

            journal.awaitRun(job, 5);
            journal.assertThatEachSlotWasFiredOnce(job, QuartzNode.INTERVAL);
        }
    }

    @Test
    void a_leader_goes_on_while_the_store_fails_and_writes_down_later_what_it_fired() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger));
        node.election().lead(1);
        journal.awaitRun("job", 1);
        ledger.fail(true);
        int before = journal.runs().size();
        long last = journal.awaitRun("job", before + 2).slot();

        ledger.fail(false);

        Journal.await().until(() -> ledger.entries("default").values().stream()
                .anyMatch(entry -> RecordedSlots.last(entry) != null && RecordedSlots.last(entry) >= last));
    }

    @Test
    void a_job_that_wants_recovery_is_run_again_by_the_next_leader_and_told_so() throws Exception {
        QuartzNode first = node(QuartzNode.with(ledger));
        QuartzNode second = node(QuartzNode.with(ledger)).start();
        recoverable(first).start();
        // The other node knows the job as well, and has it to do some day.
        second.scheduler()
                .addJob(
                        JobBuilder.newJob(Journal.Recorded.class)
                                .withIdentity("job")
                                .storeDurably()
                                .requestRecovery()
                                .build(),
                        false);
        second.election().leadElsewhere(1);
        first.election().lead(1);
        Journal.Run died = journal.awaitRun("job", 1);
        Journal.await()
                .until(() -> ledger.entries("default").keySet().stream().anyMatch(name -> name.contains("/running/")));

        first.dieWorking();
        second.election().lead(2);

        Journal.Run again = journal.awaitRun("job", 2);
        assertThat(again.recovering()).isTrue();
        assertThat(again.slot()).isEqualTo(died.slot());
        Journal.await()
                .until(() -> ledger.entries("default").keySet().stream().noneMatch(name -> name.contains("/running/")));
        second.retire();
        second.election().lead(3);
        oftenOn(second, "other");
        journal.awaitRun("other", 1);
        assertThat(journal.slots("job")).hasSize(2);
    }

    @Test
    void a_job_that_is_run_again_stays_with_the_election_that_its_trigger_has_named() throws Exception {
        JobBuilder job =
                JobBuilder.newJob(Journal.Lasting.class).withIdentity("job").requestRecovery();
        QuartzNode first = node(QuartzNode.with(ledger))
                .schedule(
                        job.build(),
                        TriggerBuilder.newTrigger()
                                .usingJobData(QuartzData.ELECTION, "other")
                                .build())
                .start();
        QuartzNode second = node(QuartzNode.with(ledger)).start();
        second.scheduler()
                .addJob(job.ofType(Journal.Recorded.class).storeDurably().build(), false);
        second.election("other").leadElsewhere(1);
        first.election("other").lead(1);
        journal.awaitRun("job", 1);
        Journal.await().until(() -> !ledger.entries("other").isEmpty());

        first.dieWorking();
        first.election("other").follow();
        second.election().lead(1);
        second.election("other").lead(2);

        assertThat(journal.awaitRun("job", 2).token()).isEqualTo(new FencingToken(2));
        Journal.await()
                .until(() -> ledger.entries("other").keySet().stream().noneMatch(name -> name.contains("/running/")));
    }

    /** One a second, and each missed one later. */
    private static TriggerBuilder<SimpleTrigger> tenSlots(Date first) {
        return TriggerBuilder.newTrigger()
                .startAt(first)
                .withSchedule(SimpleScheduleBuilder.simpleSchedule()
                        .withIntervalInSeconds(1)
                        .withRepeatCount(9)
                        .withMisfireHandlingInstructionIgnoreMisfires());
    }

    private QuartzNode often(QuartzNode.Setting setting) throws SchedulerException {
        return oftenOn(node(setting)).start();
    }

    private static QuartzNode oftenOn(QuartzNode node) throws SchedulerException {
        return oftenOn(node, "job");
    }

    private static QuartzNode oftenOn(QuartzNode node, String name) throws SchedulerException {
        return node.often(name, Journal.Recorded.class);
    }

    private static QuartzNode recoverable(QuartzNode node) throws SchedulerException {
        return node.schedule(
                JobBuilder.newJob(Journal.Lasting.class)
                        .withIdentity("job")
                        .requestRecovery()
                        .build(),
                TriggerBuilder.newTrigger().withIdentity("job").build());
    }

    private QuartzNode node(QuartzNode.Setting setting) throws SchedulerException {
        return opened.add(setting.node(journal));
    }

    private static void awaitTriggers(QuartzNode node, String group, int count) {
        Journal.await()
                .until(() -> node.scheduler()
                                .getTriggerKeys(GroupMatcher.triggerGroupEquals(group))
                                .size()
                        == count);
    }

    private static QuartzObserver counting(AtomicInteger vetoed, AtomicInteger recovered) {
        return new QuartzObserver() {
            @Override
            public void vetoed(String scheduler, String election) {
                vetoed.incrementAndGet();
            }

            @Override
            public void recovered(String scheduler, String election) {
                recovered.incrementAndGet();
            }
        };
    }

    /** Waits until so many slots have come and gone on that node. */
    private static void awaitSlotsAfter(QuartzNode node, int slots) {
        long until = (node.now() / QuartzNode.INTERVAL + slots) * QuartzNode.INTERVAL;
        Journal.await().until(() -> node.now() > until + 50);
    }

    /**
     * One-shots of one job of its own, which fire in the midst of a recovery: as it schedules the first catch-up. They are several,
     * since nobody knows in which order a recovery looks at triggers.
     */
    private static final class Foreign extends SchedulerListenerSupport {

        private static final int TRIGGERS = 8;

        private final Scheduler scheduler;

        private Foreign(Scheduler scheduler) throws SchedulerException {
            this.scheduler = scheduler;
            scheduler.addJob(
                    JobBuilder.newJob(Journal.Recorded.class)
                            .withIdentity("foreign", "foreign")
                            .storeDurably()
                            .build(),
                    false);
            for (int number = 0; number < TRIGGERS; number++) {
                scheduler.scheduleJob(oneShot("foreign " + number)
                        .startAt(DateBuilder.futureDate(1, DateBuilder.IntervalUnit.DAY))
                        .build());
            }
        }

        @Override
        public void jobScheduled(Trigger trigger) {
            if (trigger.getKey().getGroup().equals(QuartzData.CATCH_UP_GROUP)) {
                try {
                    for (TriggerKey key : triggers()) {
                        scheduler.rescheduleJob(
                                key, oneShot(key.getName()).startNow().build());
                    }
                } catch (SchedulerException failure) {
                    throw new IllegalStateException(failure);
                }
                Journal.await().until(() -> triggers().isEmpty());
            }
        }

        private Set<TriggerKey> triggers() throws SchedulerException {
            return scheduler.getTriggerKeys(GroupMatcher.triggerGroupEquals("foreign"));
        }

        private static TriggerBuilder<Trigger> oneShot(String name) {
            return TriggerBuilder.newTrigger().withIdentity(name, "foreign").forJob("foreign", "foreign");
        }
    }
}
