package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.jobs.JobRun;
import dev.election.jobs.slots.RecordedSlots;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import dev.election.store.InMemoryLedgerStore;
import dev.election.testing.LoggedLines;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;

/** No job begins before the store has confirmed that its slot is claimed, and no slot is lost if the store does not. */
@RealTime
class SlotClaimsTest {

    /** After that time a local store in memory takes a trigger for misfired, in milliseconds. */
    private static final long MISFIRE_THRESHOLD = 5000;

    private final Journal journal = new Journal();
    private final LoggedLines log = new LoggedLines("dev.election");
    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();
    private final List<QuartzNode> nodes = new ArrayList<>();
    private final AtomicInteger lost = new AtomicInteger();

    private final QuartzObserver counting = new QuartzObserver() {
        @Override
        public void lost(String scheduler, String election, int slots) {
            lost.addAndGet(slots);
        }
    };

    @AfterEach
    void close() throws SchedulerException {
        log.close();
        for (QuartzNode node : nodes) {
            node.close();
        }
    }

    @Test
    void a_job_begins_when_the_store_has_answered() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger).confirmed());
        node.election().lead(1);
        journal.awaitRun("job", 2);
        CompletableFuture<Void> answered = ledger.holdBackAnswers();
        long known = lastRecorded();
        Journal.await().until(() -> lastRecorded() > known);
        List<Long> before = List.copyOf(journal.slots("job"));
        long held = lastRecorded();
        assertThat(before).doesNotContain(held);

        answered.complete(null);

        Journal.await().until(() -> journal.slots("job").contains(held));
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void a_slot_that_was_claimed_by_a_leader_which_died_before_its_job_began_is_not_fired_again() throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger).confirmed());
        QuartzNode second = often(QuartzNode.with(ledger).confirmed().observer(counting));
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("job", 2);
        CompletableFuture<Void> answered = ledger.holdBackAnswers();
        long known = lastRecorded();
        Journal.await().until(() -> lastRecorded() > known);
        long claimed = lastRecorded();

        // None of its threads gets further: four slots wait for an answer, and no more are asked for.
        first.dieWorking();
        long lastClaimed = lastRecorded();
        ledger.answerAtOnce();
        second.election().lead(2);

        Journal.await().until(() -> journal.slots("job").stream().anyMatch(slot -> slot > lastClaimed));
        answered.complete(null);
        int runs = journal.slots("job").size();
        journal.awaitRun("job", runs + 4);
        assertThat(journal.slots("job")).doesNotHaveDuplicates().doesNotContain(claimed, lastClaimed);
        assertThat(lost).hasValueGreaterThan(0);
        assertThat(log.with("is claimed, by the earlier leader")).hasSize(lost.get());
    }

    @Test
    void a_claim_that_reaches_the_store_late_is_not_carried_out_and_the_next_leader_fires_its_slot() throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger).confirmed());
        QuartzNode second = often(QuartzNode.with(ledger).confirmed().observer(counting));
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("job", 2);
        awaitNothingUnderWay(first);
        CompletableFuture<Void> arrived = ledger.holdBackWrites();
        CompletableFuture<Void> answered = ledger.holdBackAnswers();
        awaitSlotsAfterNow(first, 6);

        // None of its threads gets further: four claims are on their way.
        first.dieWorking();
        awaitSlotsAfterNow(first, 5);
        arrived.complete(null);
        ledger.answerAtOnce();
        second.election().lead(2);

        journal.awaitRun("job", journal.slots("job").size() + 12);
        answered.complete(null);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
        assertThat(lost).hasValue(0);
    }

    @Test
    void slots_that_were_claimed_by_a_leader_which_stood_still_until_another_led_are_told_to_be_lost()
            throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger).confirmed().observer(counting));
        QuartzNode second = often(QuartzNode.with(ledger).confirmed().observer(counting));
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("job", 2);
        awaitNothingUnderWay(first);
        CompletableFuture<Void> answered = ledger.holdBackAnswers();
        List<Long> held = awaitHeld(first);

        first.election().follow();
        ledger.answerAtOnce();
        second.election().lead(2);
        journal.awaitRun("job", journal.slots("job").size() + 1);
        answered.complete(null);

        Journal.await().until(() -> lost.get() == held.size());
        Journal.await()
                .until(() -> log.with("and not known to have begun, and the job does not request recovery")
                                .size()
                        == held.size());
        assertThat(second.history())
                .filteredOn(run -> run.outcome() == JobRun.Outcome.CLAIMED)
                .extracting(run -> run.slot().orElseThrow().toEpochMilli())
                .containsExactlyInAnyOrderElementsOf(held);
        journal.awaitRun("job", journal.slots("job").size() + 4);
        assertThat(journal.slots("job")).doesNotHaveDuplicates().doesNotContainAnyElementsOf(held);
        assertThat(lost).hasValue(held.size());
    }

    @Test
    void slots_that_were_claimed_by_a_leader_which_stood_still_are_fired_if_nobody_else_led() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger).confirmed().observer(counting));
        node.election().lead(1);
        journal.awaitRun("job", 2);
        CompletableFuture<Void> answered = ledger.holdBackAnswers();
        List<Long> held = awaitHeld(node);

        node.election().follow();
        ledger.answerAtOnce();
        answered.complete(null);
        Journal.await().until(() -> node.election().runningWork() == 0);
        node.election().lead(2);

        Journal.await().until(() -> journal.slots("job").containsAll(held));
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
        assertThat(lost).hasValue(0);
    }

    /** Waits until all slots before this moment have been fired, and nothing of them runs any more. */
    private void awaitNothingUnderWay(QuartzNode node) {
        Journal.await()
                .until(() -> node.election().runningWork() == 0
                        && journal.slots("job").stream()
                                .anyMatch(slot -> slot > System.currentTimeMillis() - QuartzNode.INTERVAL));
    }

    /** Waits until all threads of the scheduler wait for answers; returns the slots that are claimed and not fired. */
    private List<Long> awaitHeld(QuartzNode node) {
        long known = lastRecorded();
        Journal.await().until(() -> lastRecorded() >= known + 2 * QuartzNode.INTERVAL);
        awaitSlotsAfterNow(node, 4);
        long fired = journal.slots("job").stream().max(Long::compare).orElseThrow();
        List<Long> held = LongStream.iterate(
                        fired + QuartzNode.INTERVAL, slot -> slot <= lastRecorded(), slot -> slot + QuartzNode.INTERVAL)
                .boxed()
                .toList();
        assertThat(held).isNotEmpty();
        return held;
    }

    @Test
    void a_slot_whose_claim_the_store_has_refused_is_fired_later_by_the_same_leader() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger).confirmed());
        node.election().lead(1);
        awaitNothingUnderWay(node);
        ledger.fail(true);
        Journal.await().until(() -> !log.with("does not begin for its slot").isEmpty());
        int runs = journal.slots("job").size();
        awaitSlotsAfterNow(node, 6);
        assertThat(journal.slots("job")).hasSize(runs);
        assertThat(log.with("does not begin for its slot")).hasSize(1);

        ledger.fail(false);

        journal.awaitRun("job", runs + 10);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void slots_whose_claims_were_refused_are_fired_by_the_next_leader() throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger).confirmed());
        QuartzNode second = often(QuartzNode.with(ledger).confirmed());
        second.election().leadElsewhere(1);
        first.election().lead(1);
        awaitNothingUnderWay(first);
        ledger.fail(true);
        Journal.await().until(() -> !log.with("does not begin for its slot").isEmpty());
        int runs = journal.slots("job").size();
        awaitSlotsAfterNow(first, 3);

        first.die();
        ledger.fail(false);
        second.election().lead(2);

        journal.awaitRun("job", runs + 8);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
        assertThat(journal.runs().subList(runs, runs + 8))
                .allMatch(run -> run.token().toString().equals("2"));
    }

    @Test
    void slots_whose_claims_were_not_answered_are_fired_by_the_next_leader() throws Exception {
        QuartzNode first = often(QuartzNode.with(ledger).confirmed());
        QuartzNode second = often(QuartzNode.with(ledger).confirmed());
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("job", 2);
        ledger.loseAnswers(true);
        Journal.await().until(() -> !log.with("does not begin for its slot").isEmpty());
        int runs = journal.slots("job").size();
        awaitSlotsAfterNow(first, 3);

        first.die();
        ledger.loseAnswers(false);
        second.election().lead(2);

        journal.awaitRun("job", runs + 8);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void a_trigger_that_fires_once_is_fired_by_the_next_leadership_of_the_node_and_by_no_earlier_attempt()
            throws Exception {
        QuartzNode node = leading();
        ledger.fail(true);
        once(node, "once", 200);
        Journal.await().until(() -> !log.with("DEFAULT.once does not begin").isEmpty());

        node.retire();
        ledger.fail(false);
        node.election().lead(2);

        assertThat(journal.awaitRun("once", 1).token()).hasToString("2");
        // The attempt of the earlier leadership was to be made within half a second.
        once(node, "later", 1000);
        journal.awaitRun("later", 1);
        assertThat(journal.slots("once")).hasSize(1);
    }

    @Test
    void a_slot_that_was_caught_up_at_another_time_is_not_fired_by_an_earlier_attempt() throws Exception {
        QuartzNode node = leading();
        ledger.fail(true);
        once(node, "once", 100);
        long misfired = node.now() + 100 + MISFIRE_THRESHOLD;
        Journal.await().until(() -> !log.with("DEFAULT.once does not begin").isEmpty());
        Journal.await().until(() -> node.now() > misfired);

        // By now the next attempt is more than a second away.
        node.retire();
        ledger.fail(false);
        node.election().lead(2);

        assertThat(journal.awaitRun("once", 1).token()).hasToString("2");
        once(node, "later", 4000);
        journal.awaitRun("later", 1);
        assertThat(journal.slots("once")).hasSize(1);
    }

    @Test
    void a_slot_that_has_waited_for_too_long_is_given_up_and_that_is_told() throws Exception {
        QuartzNode node = often(QuartzNode.with(ledger).confirmed().recoverWithin(Duration.ofSeconds(1)));
        node.election().lead(1);
        journal.awaitRun("job", 1);
        ledger.fail(true);

        Journal.await()
                .until(() -> !log.with("it could not be fired within 1 s").isEmpty());

        ledger.fail(false);
        int runs = journal.slots("job").size();
        journal.awaitRun("job", runs + 2);
        assertThat(journal.slots("job")).doesNotHaveDuplicates();
        Journal.await()
                .until(() ->
                        ledger.entries("default").get(QuartzNode.entry("job")).split(" ").length == 2);
        Journal.await()
                .until(() -> ledger.entries("default").keySet().stream().noneMatch(name -> name.contains("/claimed/")));
    }

    /** One that knows what earlier leaders have fired. */
    private QuartzNode leading() throws Exception {
        QuartzNode node = QuartzNode.with(ledger).confirmed().node(journal);
        nodes.add(node);
        node.start().election().lead(1);
        once(node, "first", 0);
        journal.awaitRun("first", 1);
        return node;
    }

    private static void once(QuartzNode node, String job, long in) throws SchedulerException {
        node.schedule(job, Journal.Recorded.class, TriggerBuilder.newTrigger().startAt(new Date(node.now() + in)));
    }

    /** The latest slot of the job that the ledger has. */
    private long lastRecorded() {
        String entry = ledger.entries("default").get(QuartzNode.entry("job"));
        Long last = entry == null ? null : RecordedSlots.last(entry);
        return last == null ? 0 : last;
    }

    private static void awaitSlotsAfterNow(QuartzNode node, int slots) {
        long until = node.now() + slots * QuartzNode.INTERVAL;
        Journal.await().until(() -> node.now() > until);
    }

    private QuartzNode often(QuartzNode.Setting setting) throws SchedulerException {
        QuartzNode node = setting.node(journal);
        nodes.add(node);
        return node.often("job", Journal.Recorded.class).start();
    }
}
