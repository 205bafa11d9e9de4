package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.quartz.QuartzMode;
import dev.election.store.InMemoryLedgerStore;
import dev.election.testing.LoggedLines;
import dev.election.testing.Opened;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.quartz.SchedulerException;
import org.quartz.TriggerBuilder;
import org.quartz.TriggerKey;

/** Schedulers that run while their node leads. */
@RealTime
class StandbyTest {

    private final Journal journal = new Journal();

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election.quartz");

    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();
    private final QuartzNode.Setting setting = QuartzNode.with(ledger).mode(QuartzMode.STANDBY);

    @AutoClose
    private final Opened opened = new Opened();

    @Test
    void one_that_is_started_on_a_follower_waits_until_it_leads() throws Exception {
        QuartzNode node = node().start();
        assertThat(node.scheduler().isInStandbyMode()).isTrue();

        node.election().lead(1);
        awaitStandby(node, false);

        node.retire();
        awaitStandby(node, true);
    }

    @Test
    void one_needs_no_ledger_but_that_of_the_election_that_it_follows() throws Exception {
        QuartzNode node = node().start();
        node.election("other").lead(1);
        node.election().lead(1);
        awaitStandby(node, false);

        assertThat(node.ledgers().find("default")).isNotNull();
        assertThat(node.ledgers().find("other")).isNull();
    }

    @Test
    void one_that_resigns_fires_no_more_while_its_jobs_go_on() throws Exception {
        QuartzNode node = node().start();
        node.election().lead(1);
        awaitStandby(node, false);

        node.election().resign();

        awaitStandby(node, true);
    }

    @Test
    void one_whose_node_goes_on_as_the_leader_fires_again() throws Exception {
        QuartzNode node = node().start();
        node.election().lead(1);
        awaitStandby(node, false);
        node.election().resign();
        awaitStandby(node, true);

        node.election().resume();

        awaitStandby(node, false);
    }

    @Test
    void one_that_the_application_has_not_started_is_not_started_by_leadership() throws Exception {
        QuartzNode node = node();
        QuartzNode other = node().start();

        node.election().lead(1);
        other.election().lead(1);
        awaitStandby(other, false);

        assertThat(node.scheduler().isStarted()).isFalse();
        node.start();
        awaitStandby(node, false);
    }

    @Test
    void one_that_the_application_puts_on_standby_stays_there() throws Exception {
        QuartzNode node = node().start();
        node.election().lead(1);
        awaitStandby(node, false);
        node.scheduler().standby();
        node.retire();
        QuartzNode other = node().start();

        node.election().lead(2);
        other.election().lead(2);
        awaitStandby(other, false);

        assertThat(node.scheduler().isInStandbyMode()).isTrue();
    }

    @Test
    void one_tells_which_slots_to_come_it_leaves_out_after_a_loss_since_they_may_have_been_fired() throws Exception {
        QuartzNode first = node().often("job", Journal.Recorded.class).start();
        QuartzNode second = node().often("job", Journal.Recorded.class).start();
        first.election().lead(1);
        journal.awaitRun("job", 2);
        first.retire();
        awaitStandby(first, true);

        ledger.intactFor(Duration.ofSeconds(-20));
        second.election().lead(2);
        awaitStandby(second, false);

        assertThat(log.with("does not fire"))
                .singleElement()
                .asString()
                .contains("DEFAULT.job")
                .satisfies(line -> assertThat(Instant.parse(line.replaceAll(".* to (\\S+Z) of .*", "$1")))
                        .isAfter(Instant.now().plusSeconds(5)));
    }

    @Test
    void with_a_local_store_each_goes_on_where_the_other_has_stopped() throws Exception {
        QuartzNode first = node().often("job", Journal.Recorded.class).start();
        QuartzNode second = node().often("job", Journal.Recorded.class).start();
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("job", 2);

        first.retire();
        first.election().leadElsewhere(2);
        awaitStandby(first, true);
        second.election().lead(2);
        journal.awaitRun("job", 4);
        second.retire();
        awaitStandby(second, true);
        first.election().lead(3);
        journal.awaitRun("job", 7);

        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    @Test
    void with_a_local_store_a_trigger_that_came_once_a_day_goes_on_as_often_as_it_is_to_come_now() throws Exception {
        long now = System.currentTimeMillis();
        FencingToken earlier = new FencingToken(1);
        ledger.open("default", earlier);
        ledger.write(
                "default",
                earlier,
                Map.of(
                        QuartzNode.entry("job"),
                        (now - 1000) + " " + (now + Duration.ofDays(1).toMillis())),
                Set.of());
        QuartzNode node = node().often("job", Journal.Recorded.class).start();

        node.election().lead(2);

        journal.awaitRun("job", 2);
    }

    @Test
    void with_a_local_store_a_one_shot_that_the_other_has_fired_is_gone() throws Exception {
        Date slot = new Date(System.currentTimeMillis() + 500);
        QuartzNode first = once(node(), slot).start();
        QuartzNode second = once(node(), slot).start();
        second.election().leadElsewhere(1);
        first.election().lead(1);
        journal.awaitRun("once", 1);

        first.retire();
        second.election().lead(2);
        awaitStandby(second, false);

        assertThat(second.scheduler().checkExists(new TriggerKey("once"))).isFalse();
        assertThat(journal.slots("once")).containsExactly(slot.getTime());
    }

    @Test
    void with_a_local_store_it_is_told_how_many_slots_are_caught_up() throws Exception {
        long now = System.currentTimeMillis();
        FencingToken earlier = new FencingToken(1);
        ledger.open("default", earlier);
        ledger.write("default", earlier, Map.of(QuartzNode.entry("job"), (now - 1000) + " " + (now - 750)), Set.of());
        QuartzNode node = node().often("job", Journal.Recorded.class).start();
        Journal.await().until(() -> node.now() > journal.begun() + 4 * QuartzNode.INTERVAL);

        node.election().lead(2);

        journal.awaitRun("job", 5);
        Journal.await().until(() -> !log.with("Nobody fired").isEmpty());
        assertThat(log.with("Nobody fired"))
                .singleElement()
                .asString()
                .matches("Nobody fired the \\d+ slots from .* of DEFAULT.job: this leader of 'default' catches up as"
                        + " soon as the scheduler 'node' is started, by the misfire instruction"
                        + " IGNORE_MISFIRE_POLICY: .*");
    }

    private static QuartzNode once(QuartzNode node, Date slot) throws SchedulerException {
        return node.schedule(
                "once", Journal.Recorded.class, TriggerBuilder.newTrigger().startAt(slot));
    }

    private QuartzNode node() throws SchedulerException {
        return opened.add(setting.node(journal));
    }

    private static void awaitStandby(QuartzNode node, boolean standby) {
        Journal.await().until(() -> node.scheduler().isInStandbyMode() == standby);
    }
}
