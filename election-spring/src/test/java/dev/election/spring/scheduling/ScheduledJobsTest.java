package dev.election.spring.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.Recover;
import dev.election.ScheduledSlot;
import dev.election.jobs.JobRun;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.Scheduled;

/** Which slots of guarded cron methods run on which of several nodes. */
class ScheduledJobsTest {

    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();

    /** What ran, on whatever node. */
    private final List<String> ran = new ArrayList<>();

    @Test
    void a_slot_runs_on_the_leader_once_and_knows_its_time_and_token() {
        JobNode leader = node(new Latest());
        JobNode follower = node(new Latest());
        leader.lead(7);

        pass(Duration.ofMinutes(2), leader, follower);

        assertThat(ran).containsExactly("12:01 token 7", "12:02 token 7");
    }

    @Test
    void a_schedule_that_no_leader_has_recorded_has_missed_nothing() {
        JobNode node = node(new Latest());
        pass(Duration.ofMinutes(5), node);
        node.lead(1);

        assertThat(ran).isEmpty();
        assertThat(node.observed).isEmpty();
        pass(Duration.ofMinutes(1), node);
        assertThat(ran).containsExactly("12:06 token 1");
    }

    @Test
    void the_latest_slot_that_fell_between_two_leaders_is_run_by_the_next_one() {
        JobNode first = node(new Latest());
        JobNode second = node(new Latest());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();

        pass(Duration.ofMinutes(3), second);
        second.lead(2);

        assertThat(ran).containsExactly("12:01 token 1", "12:04 late token 2");
        assertThat(second.observed).containsExactly("recovered jobs.run");
        pass(Duration.ofMinutes(1), second);
        assertThat(ran).last().isEqualTo("12:05 token 2");
    }

    @Test
    void each_slot_that_fell_between_two_leaders_is_run_if_the_job_wants_it() {
        JobNode first = node(new Every());
        JobNode second = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();

        pass(Duration.ofMinutes(3), second);
        second.lead(2);

        assertThat(ran)
                .containsExactly("12:01 token 1", "12:02 late token 2", "12:03 late token 2", "12:04 late token 2");
        third(3, Duration.ZERO);
        assertThat(ran).as("the next leader finds nothing").hasSize(4);
    }

    @Test
    void slots_that_are_too_old_are_counted_and_not_run() {
        JobNode first = node(new Every());
        JobNode second = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();

        pass(Duration.ofMinutes(12), second);
        second.lead(2);

        assertThat(ran).hasSize(1 + 11).contains("12:03 late token 2", "12:13 late token 2");
        assertThat(second.observed).contains("lost 1 of jobs.run");
        JobNode third = third(3, Duration.ofMinutes(13));
        assertThat(third.observed).as("counted once").isEmpty();
    }

    @Test
    void a_leader_with_a_clock_behind_runs_no_slot_again() {
        JobNode first = node(new Latest());
        first.lead(1);
        pass(Duration.ofSeconds(60), first);
        JobNode second = new JobNode(ledger, NOON.plusSeconds(57), new Latest());
        second.lead(2);

        pass(Duration.ofSeconds(30), second);

        assertThat(ran).containsExactly("12:01 token 1");
    }

    @Test
    void a_leader_with_a_clock_ahead_runs_the_slot_that_has_not_come_for_the_earlier_leader() {
        JobNode first = node(new Latest());
        first.lead(1);
        pass(Duration.ofSeconds(59), first);
        JobNode second = new JobNode(ledger, NOON.plusSeconds(62), new Latest());
        second.lead(2);

        assertThat(ran).containsExactly("12:01 late token 2");
    }

    @Test
    void without_an_answer_to_the_claim_the_method_is_not_called_and_the_same_leader_runs_it_later() {
        JobNode node = node(new Latest());
        node.lead(1);
        node.cutOff(true);
        pass(Duration.ofMinutes(1), node);
        assertThat(ran).isEmpty();

        node.cutOff(false);
        pass(Duration.ofSeconds(20), node);

        assertThat(ran).containsExactly("12:01 late token 1");
        pass(Duration.ofMinutes(1), node);
        assertThat(ran).last().isEqualTo("12:02 token 1");
    }

    @Test
    void claims_without_an_answer_are_one_warning_and_one_line_when_none_has_failed_for_two_minutes() {
        JobNode node = node(new Latest());
        node.lead(1);
        node.cutOff(true);
        try (LoggedLines claims = new LoggedLines("dev.election.jobs.engine");
                LoggedLines slots = new LoggedLines(SlotLog.class.getName())) {
            pass(Duration.ofMinutes(3), node);
            assertThat(claims.with("is not run now for its slot")).hasSize(1);
            assertThat(slots.with("run late")).isEmpty();

            node.cutOff(false);
            pass(Duration.ofSeconds(20), node);
            assertThat(slots.with("run late"))
                    .containsExactly(
                            "The job 'jobs.run': the slot 2026-11-23T12:03:00Z is run late: not run by any leader in time."
                                    + " Further late slots within the hour are not logged");
            pass(Duration.ofMinutes(1), node);
            assertThat(claims.with("again")).isEmpty();
            pass(Duration.ofMinutes(3), node);
            assertThat(claims.with("The store confirms claims of slots and starts of jobs again"))
                    .singleElement()
                    .asString()
                    .endsWith("none has failed for 2 min");
        }
    }

    @Test
    void slots_that_are_run_late_one_after_the_other_are_one_line() {
        JobNode first = node(new Every());
        JobNode second = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();
        pass(Duration.ofMinutes(3), second);
        try (LoggedLines log = new LoggedLines(SlotLog.class.getName())) {
            second.lead(2);
            assertThat(ran).hasSize(4);
            pass(Duration.ofMinutes(3), second);
            assertThat(log.with("is run late")).hasSize(1);
        }
    }

    @Test
    void late_slots_of_many_jobs_are_one_line() {
        JobNode first = ofFiveJobs(NOON);
        first.lead(1);
        pass(Duration.ofMinutes(1), first);
        first.kill();

        JobNode second = ofFiveJobs(NOON.plusSeconds(125));
        try (LoggedLines log = new LoggedLines(SlotLog.class.getName())) {
            second.lead(2);
            pass(Duration.ofSeconds(1), second);
            assertThat(log.with("late"))
                    .singleElement()
                    .asString()
                    .startsWith(
                            "The jobs 'job1.run', 'job2.run', 'job3.run' and 2 more: 5 slots up to 2026-11-23T12:02:00Z are run late:");
        }
    }

    @Test
    void later_slots_wait_for_one_that_could_not_be_claimed() {
        JobNode node = node(new Every());
        node.lead(1);
        node.cutOff(true);
        pass(Duration.ofSeconds(118), node);
        node.cutOff(false);

        // The next attempt comes after the second slot.
        pass(Duration.ofSeconds(2), node);
        assertThat(ran).isEmpty();
        pass(Duration.ofSeconds(10), node);

        assertThat(ran).containsExactly("12:01 late token 1", "12:02 late token 1");
    }

    @Test
    void what_was_not_claimed_since_the_store_did_not_answer_is_run_by_the_next_leader() {
        JobNode first = node(new Latest());
        JobNode second = node(new Latest());
        first.lead(1);
        first.cutOff(true);
        pass(Duration.ofMinutes(1), first, second);

        second.lead(2);

        assertThat(ran).containsExactly("12:01 late token 2");
    }

    @Test
    void a_claim_under_a_leadership_that_is_over_runs_nothing() {
        JobNode first = node(new Latest());
        JobNode second = node(new Latest());
        first.lead(1);
        pass(Duration.ofSeconds(30), first, second);
        second.lead(2);

        pass(Duration.ofSeconds(30), first);
        pass(Duration.ofSeconds(30), second);

        assertThat(ran).containsExactly("12:01 token 2");
    }

    @Test
    void a_slot_that_comes_before_the_ledger_is_open_is_run_when_it_is() {
        JobNode node = node(new Latest());
        node.lead(1);
        node.election().follow();
        CompletableFuture<Void> gate = ledger.holdBack();
        node.lead(2);
        pass(Duration.ofMinutes(1), node);
        assertThat(ran).isEmpty();

        gate.complete(null);
        pass(Duration.ZERO, node);

        assertThat(ran).containsExactly("12:01 late token 2");
    }

    @Test
    void a_claim_that_reaches_the_store_late_is_not_carried_out_and_the_next_leader_runs_its_slot() {
        JobNode first = node(new Latest());
        JobNode second = node(new Latest());
        ledger.clock(() -> second.scheduler.now());
        first.lead(1);
        first.dieOverNextClaim();
        pass(Duration.ofMinutes(1), first, second);

        pass(Duration.ofMillis(1001), second);
        assertThat(first.arriveClaim()).isInstanceOf(LedgerStore.TooLate.class);
        second.lead(2);

        assertThat(ran).containsExactly("12:01 late token 2");
    }

    @Test
    void a_slot_that_is_claimed_and_not_known_to_have_begun_is_not_run_and_that_is_told_counted_and_recorded() {
        JobNode first = node(new Latest());
        JobNode second = node(new Latest());
        ledger.clock(() -> second.scheduler.now());
        first.lead(1);
        first.dieOverNextClaim();
        pass(Duration.ofMinutes(1), first, second);

        pass(Duration.ofMillis(999), second);
        assertThat(first.arriveClaim()).isInstanceOf(LedgerStore.Written.class);
        try (LoggedLines log = new LoggedLines("dev.election")) {
            second.lead(2);
            assertThat(log.with("not known to have begun")).hasSize(1);
            assertThat(log.with("was started for its slot")).isEmpty();
        }

        assertThat(ran).isEmpty();
        assertThat(second.observed).containsExactly("lost 1 of jobs.run");
        assertThat(second.runsOfAll()).singleElement().satisfies(run -> {
            assertThat(run.outcome()).isEqualTo(JobRun.Outcome.CLAIMED);
            assertThat(run.slot()).contains(NOON.plusSeconds(60));
            assertThat(run.token()).isEqualTo(new FencingToken(1));
            assertThat(run.node()).isEqualTo("me");
        });
        JobNode third = third(3, Duration.ofSeconds(70));
        assertThat(third.observed).as("counted once").isEmpty();
    }

    @Test
    void a_slot_that_is_claimed_and_not_known_to_have_begun_is_run_if_the_job_wants_to_run_again() {
        JobNode first = node(new Rerun());
        JobNode second = node(new Rerun());
        ledger.clock(() -> second.scheduler.now());
        first.lead(1);
        first.dieOverNextClaim();
        pass(Duration.ofMinutes(1), first, second);
        first.arriveClaim();

        second.lead(2);

        assertThat(ran).containsExactly("12:01 late again token 2");
        JobNode third = new JobNode(ledger, NOON.plusSeconds(70), new Rerun());
        third.lead(3);
        assertThat(ran).hasSize(1);
    }

    @Test
    void a_job_that_had_begun_when_its_leader_ended_is_not_run_again() {
        JobNode first = node(new Latest());
        JobNode second = node(new Latest());
        first.lead(1);
        dieInside(first);
        pass(Duration.ofMinutes(1), first, second);

        second.lead(2);

        assertThat(ran).containsExactly("12:01 token 1");
        assertThat(second.observed).containsExactly("interrupted jobs.run");
        JobNode third = third(3, Duration.ofMinutes(1));
        assertThat(third.observed).as("counted once").isEmpty();
    }

    @Test
    void a_job_that_had_begun_when_its_leader_ended_is_run_again_if_it_wants_to() {
        JobNode first = node(new Rerun());
        JobNode second = node(new Rerun());
        first.lead(1);
        dieInside(first);
        pass(Duration.ofMinutes(1), first, second);

        second.lead(2);
        assertThat(ran).containsExactly("12:01 token 1", "12:01 late again token 2");

        JobNode third = new JobNode(ledger, NOON.plusSeconds(70), new Rerun());
        third.lead(3);
        assertThat(ran).hasSize(2);
    }

    @Test
    void a_job_that_has_ended_is_not_taken_for_an_interrupted_one() {
        JobNode first = node(new Rerun());
        first.lead(1);
        pass(Duration.ofMinutes(1), first);

        JobNode second = new JobNode(ledger, NOON.plusSeconds(61), new Rerun());
        second.lead(2);

        assertThat(ran).containsExactly("12:01 token 1");
        assertThat(second.observed).isEmpty();
    }

    @Test
    void a_job_that_still_runs_here_since_an_earlier_leadership_is_not_run_again() {
        JobNode node = node(new Rerun());
        node.lead(1);
        inside = () -> {
            node.election().follow();
            node.election().lead(2);
            node.scheduler.advance(Duration.ZERO);
        };
        pass(Duration.ofMinutes(1), node);

        assertThat(ran).containsExactly("12:01 token 1");
        JobNode second = new JobNode(ledger, NOON.plusSeconds(61), new Rerun());
        second.lead(3);
        assertThat(ran).as("its end was recorded under the later leadership").hasSize(1);
    }

    @Test
    void of_a_ledger_that_may_be_an_old_copy_only_what_came_after_that_is_recovered() {
        JobNode first = node(new Every());
        JobNode second = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();
        pass(Duration.ofMinutes(4), second);

        ledger.intactFor(Duration.ofSeconds(90));
        second.lead(2);

        assertThat(ran).containsExactly("12:01 token 1", "12:04 late token 2", "12:05 late token 2");
        assertThat(second.observed).contains("lost 2 of jobs.run");
    }

    @Test
    void a_ledger_that_was_begun_a_moment_ago_by_a_leader_with_a_clock_behind_loses_nothing() {
        JobNode first = new JobNode(ledger, NOON.minusSeconds(2), new Every());
        first.lead(1);
        first.kill();

        // By the clock of the store, and of this node, the ledger was begun when the slot was over.
        JobNode second = new JobNode(ledger, NOON.plusSeconds(2), new Every());
        ledger.intactFor(Duration.ofSeconds(1));
        second.lead(2);

        assertThat(ran).containsExactly("12:00 late token 2");
        assertThat(second.observed).containsExactly("recovered jobs.run");
    }

    @Test
    void a_run_whose_end_the_store_may_have_lost_is_not_repeated() {
        JobNode first = node(new Rerun());
        first.lead(1);
        dieInside(first);
        pass(Duration.ofMinutes(1), first);

        JobNode second = new JobNode(ledger, NOON.plusSeconds(70), new Rerun());
        ledger.intactFor(Duration.ofSeconds(-15));
        second.lead(2);

        assertThat(ran).containsExactly("12:01 token 1");
        assertThat(second.observed).contains("interrupted jobs.run");
    }

    @Test
    void slots_that_a_leader_with_a_clock_ahead_may_have_run_before_the_loss_are_not_run_when_their_time_comes() {
        JobNode first = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first);
        first.kill();

        JobNode second = new JobNode(ledger, NOON.plusSeconds(115), new Every());
        ledger.intactFor(Duration.ofSeconds(-16));
        try (LoggedLines log = new LoggedLines(SlotLog.class.getName())) {
            second.lead(2);
            pass(Duration.ofSeconds(1), second);
            assertThat(log.with("not run")).isEmpty();
            assertThat(log.with("will not be run"))
                    .singleElement()
                    .asString()
                    .startsWith("The job 'jobs.run': the slot 2026-11-23T12:02:00Z will not be run. It is from before");
        }
        pass(Duration.ofMinutes(1), second);

        assertThat(ran).containsExactly("12:01 token 1");
        assertThat(second.observed).containsExactly("lost 1 of jobs.run");
        pass(Duration.ofMinutes(1), second);
        assertThat(ran).last().isEqualTo("12:03 token 2");
    }

    @Test
    void lost_slots_of_many_jobs_are_one_line_that_tells_past_ones_from_those_to_come() {
        JobNode first = ofFiveJobs(NOON);
        first.lead(1);
        pass(Duration.ofMinutes(1), first);
        first.kill();

        JobNode second = ofFiveJobs(NOON.plusSeconds(175));
        ledger.intactFor(Duration.ofSeconds(-16));
        try (LoggedLines log = new LoggedLines(SlotLog.class.getName())) {
            second.lead(2);
            assertThat(second.observed).hasSize(5).contains("lost 2 of job3.run");
            assertThat(log.with("run")).isEmpty();
            pass(Duration.ofSeconds(1), second);
            assertThat(log.with("run"))
                    .containsExactly(
                            "The jobs 'job1.run', 'job2.run', 'job3.run' and 2 more: 5 slots up to 2026-11-23T12:02:00Z are not run, and"
                                    + " 5 slots up to 2026-11-23T12:03:00Z will not be run. They are from before or shortly after a restart"
                                    + " or replacement of the store, which may have lost the records of runs."
                                    + " election.jobs.lost counts such slots");
        }
    }

    @Test
    void a_job_that_loses_slots_all_the_time_is_one_line_a_minute_and_the_last_one_comes_at_the_end() {
        JobNode node = node(new Secondly());
        node.lead(1);
        try (LoggedLines log = new LoggedLines(SlotLog.class.getName())) {
            for (int run = 0; run < 4; run++) {
                inside = () -> node.scheduler.advance(Duration.ofSeconds(40));
                pass(Duration.ofSeconds(1), node);
            }
            assertThat(node.observed).hasSizeGreaterThan(3);
            assertThat(log.with("are not run")).hasSize(2);
            assertThat(log.with("is run late")).hasSize(1);
            node.close();
            assertThat(log.with("are not run")).hasSize(3);
        }
    }

    @Test
    void slots_that_come_after_a_loss_are_run_at_their_time_if_a_living_leader_has_written_its_ledger_again() {
        JobNode first = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first);
        ledger.forget();
        ledger.intactFor(Duration.ofSeconds(-20));
        pass(Duration.ofMinutes(1), first);
        first.kill();

        JobNode second = new JobNode(ledger, NOON.plusSeconds(175), new Every());
        second.lead(2);
        pass(Duration.ofMinutes(1), second);

        assertThat(ran).containsExactly("12:01 token 1", "12:02 token 1", "12:03 token 2");
        assertThat(second.observed).isEmpty();
    }

    @Test
    void slots_that_fall_while_the_job_runs_are_run_after_it_if_it_wants_each() {
        JobNode node = node(new Every());
        node.lead(1);
        inside = () -> node.scheduler.advance(Duration.ofSeconds(150));
        pass(Duration.ofMinutes(4), node);

        assertThat(ran)
                .containsExactly("12:01 token 1", "12:02 late token 1", "12:03 late token 1", "12:04 late token 1");
        pass(Duration.ofMinutes(1), node);
        assertThat(ran).last().isEqualTo("12:05 token 1");
        assertThat(node.isOpen()).isTrue();
    }

    @Test
    void slots_that_fall_while_the_job_runs_are_left_out_if_it_wants_the_latest() {
        JobNode node = node(new Latest());
        node.lead(1);
        inside = () -> node.scheduler.advance(Duration.ofSeconds(150));
        pass(Duration.ofMinutes(4), node);

        assertThat(ran).containsExactly("12:01 token 1", "12:04 token 1");
        assertThat(node.observed).isEmpty();
    }

    @Test
    void slots_that_the_leader_has_left_out_are_run_by_its_successor() {
        JobNode first = node(new Every());
        JobNode second = node(new Every());
        first.lead(1);
        inside = () -> {
            first.scheduler.advance(Duration.ofSeconds(150));
            inside = first::kill;
        };
        pass(Duration.ofSeconds(60), first, second);
        pass(Duration.ofSeconds(180), first, second);
        int before = ran.size();

        second.lead(2);

        assertThat(ran.subList(0, before)).startsWith("12:01 token 1");
        assertThat(ran).last().isEqualTo("12:04 late token 2");
        assertThat(ran.stream().map(run -> run.substring(0, 5)))
                .doesNotHaveDuplicates()
                .hasSize(4);
    }

    @Test
    void after_many_runs_a_claim_without_an_answer_makes_no_slot_run_again_or_count_as_lost() {
        JobNode first = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(200), first);
        first.cutOff(true);
        pass(Duration.ofMinutes(1), first);
        first.cutOff(false);
        pass(Duration.ofMinutes(1), first);
        assertThat(ran).hasSize(202).doesNotHaveDuplicates();
        assertThat(first.observed).as("nothing lost").containsOnly("recovered jobs.run");

        first.cutOff(true);
        pass(Duration.ofMinutes(1), first);
        first.kill();
        JobNode second = new JobNode(ledger, NOON.plus(Duration.ofMinutes(205)), new Every());
        second.lead(2);
        assertThat(ran.stream().map(run -> run.substring(0, 5)))
                .doesNotHaveDuplicates()
                .hasSize(205);
    }

    @Test
    void a_claim_that_is_taken_back_after_many_runs_leaves_only_its_own_slot_to_the_next_leader() {
        JobNode first = node(new Latest());
        first.lead(1);
        pass(Duration.ofMinutes(100), first);
        inside = () -> {};
        first.cutOff(true);
        pass(Duration.ofMinutes(1), first);
        first.cutOff(false);
        first.election().follow();
        pass(Duration.ofSeconds(20), first);

        JobNode second = new JobNode(ledger, NOON.plus(Duration.ofMinutes(102)), new Every());
        second.lead(2);

        assertThat(ran.stream().map(run -> run.substring(0, 5))).doesNotHaveDuplicates();
        assertThat(ran).hasSizeGreaterThanOrEqualTo(102);
    }

    @Test
    void of_an_empty_ledger_nothing_is_recovered() {
        JobNode first = node(new Every());
        JobNode second = node(new Every());
        first.lead(1);
        second.election().leadElsewhere(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();
        pass(Duration.ofMinutes(4), second);

        ledger.forget();
        second.lead(2);

        assertThat(ran).containsExactly("12:01 token 1");
        pass(Duration.ofMinutes(1), second);
        assertThat(ran).last().isEqualTo("12:06 token 2");
    }

    @Test
    void a_slot_whose_time_comes_while_missed_ones_are_run_is_run_after_them() {
        JobNode first = node(new Every());
        JobNode second = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();
        pass(Duration.ofMinutes(2), second);

        inside = () -> second.scheduler.advance(Duration.ofMinutes(1));
        second.lead(2);
        assertThat(ran).as("its time has come").hasSize(2);
        pass(Duration.ZERO, second);

        assertThat(ran)
                .containsExactly("12:01 token 1", "12:02 late token 2", "12:03 late token 2", "12:04 late token 2");
    }

    @Test
    void a_leader_that_dies_while_it_runs_missed_slots_leaves_the_rest_to_the_next_one() {
        JobNode first = node(new Every());
        JobNode second = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();
        pass(Duration.ofMinutes(3), second);

        inside = () -> inside = second::kill;
        second.lead(2);
        pass(Duration.ZERO, second);
        assertThat(ran).containsExactly("12:01 token 1", "12:02 late token 2", "12:03 late token 2");
        third(3, Duration.ofMinutes(4));

        assertThat(ran).hasSize(4).last().isEqualTo("12:04 late token 3");
    }

    @Test
    void a_node_that_is_about_to_end_its_leadership_leaves_missed_slots_to_the_next_leader() {
        JobNode first = node(new Every());
        JobNode second = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();
        pass(Duration.ofMinutes(2), second);

        second.election().lead(2);
        second.election().resign();
        pass(Duration.ofSeconds(10), second);
        assertThat(ran).hasSize(1);
        second.election().follow();

        third(3, Duration.ofMinutes(3));
        assertThat(ran).containsExactly("12:01 token 1", "12:02 late token 3", "12:03 late token 3");
    }

    @Test
    void a_node_that_goes_on_as_the_leader_runs_what_it_has_missed_meanwhile() {
        JobNode node = node(new Every());
        node.lead(1);
        pass(Duration.ofMinutes(1), node);
        node.election().resign();
        pass(Duration.ofMinutes(1), node);
        node.election().resume();
        pass(Duration.ofSeconds(1), node);
        assertThat(ran).containsExactly("12:01 token 1", "12:02 late token 1");
        pass(Duration.ofMinutes(1), node);
        assertThat(ran).last().isEqualTo("12:03 token 1");
    }

    @Test
    void a_node_that_goes_on_as_the_leader_runs_the_latest_slot_that_it_has_missed_meanwhile() {
        JobNode node = node(new Latest());
        node.lead(1);
        pass(Duration.ofMinutes(1), node);
        node.election().resign();
        pass(Duration.ofMinutes(2), node);
        node.election().resume();
        pass(Duration.ofSeconds(1), node);
        assertThat(ran).containsExactly("12:01 token 1", "12:03 late token 1");
        pass(Duration.ofMinutes(1), node);
        assertThat(ran).last().isEqualTo("12:04 token 1");
    }

    @Test
    void missed_slots_whose_turn_comes_during_a_hand_over_are_run_when_it_comes_to_nothing() {
        JobNode first = node(new Latest());
        JobNode second = node(new Latest());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second);
        first.kill();
        pass(Duration.ofMinutes(1), second);
        second.election().lead(2);
        second.election().resign();
        pass(Duration.ofSeconds(30), second);
        assertThat(ran).containsExactly("12:01 token 1");

        second.election().resume();
        pass(Duration.ofMinutes(1), second);

        assertThat(ran).containsExactly("12:01 token 1", "12:02 late token 2", "12:03 token 2");
    }

    @Test
    void a_call_by_the_application_itself_has_no_slot_and_claims_none() {
        JobNode node = node(new Latest());
        node.lead(1);

        ((Latest) node.bean("jobs")).run();

        assertThat(ran).containsExactly("no slot");
        pass(Duration.ofMinutes(1), node);
        assertThat(ran).last().isEqualTo("12:01 token 1");
    }

    @Test
    void observers_know_each_job_before_a_slot_of_it_is_missed() {
        JobNode node = node(new Latest());
        assertThat(node.added).containsExactly("default jobs.run");
        node.add("more", new Every());
        assertThat(node.added).containsExactly("default jobs.run", "default more.run");
    }

    @Test
    void a_job_that_is_added_to_a_leader_is_recovered_too() {
        JobNode first = node(new Latest());
        first.lead(1);
        pass(Duration.ofMinutes(1), first);
        first.kill();
        JobNode second = new JobNode(ledger, NOON.plusSeconds(130));
        second.start();
        second.lead(2);

        second.add("jobs", new Latest());
        pass(Duration.ZERO, second);

        assertThat(ran).containsExactly("12:01 token 1", "12:02 late token 2");
    }

    @Test
    void a_job_that_is_added_while_the_leader_recovers_runs_what_was_missed_afterwards_and_loses_nothing() {
        JobNode first = node(new Latest());
        first.lead(1);
        pass(Duration.ofMinutes(1), first);
        first.kill();
        JobNode second = new JobNode(ledger, NOON.plusSeconds(130));
        second.start();
        second.election().recover(2);

        second.add("jobs", new Latest());
        pass(Duration.ofSeconds(20), second);
        assertThat(second.observed).isEmpty();
        second.election().recovered();
        pass(Duration.ofSeconds(20), second);

        assertThat(ran).containsExactly("12:01 token 1", "12:02 late token 2");
        assertThat(second.observed).containsExactly("recovered jobs.run");
    }

    @Test
    void slots_that_fall_into_the_recovery_of_a_leader_are_run_after_it_and_not_before() {
        JobNode node = node(new Every());
        node.lead(1);
        pass(Duration.ofMinutes(1), node);
        node.election().follow();
        node.election().recover(2);
        pass(Duration.ofMinutes(2), node);
        assertThat(ran).containsExactly("12:01 token 1");

        node.election().recovered();
        pass(Duration.ofSeconds(10), node);

        assertThat(ran).containsExactly("12:01 token 1", "12:02 late token 2", "12:03 late token 2");
        assertThat(node.observed).containsOnly("recovered jobs.run");
    }

    @Test
    void a_job_that_is_added_while_the_leader_hands_over_loses_nothing() {
        JobNode first = node(new Latest());
        first.lead(1);
        pass(Duration.ofMinutes(1), first);
        first.kill();
        JobNode second = new JobNode(ledger, NOON.plusSeconds(130));
        second.add("others", new Hourly());
        second.start();
        second.lead(2);
        second.election().resign();

        second.add("jobs", new Latest());
        pass(Duration.ofSeconds(20), second);
        assertThat(second.observed).as("nothing is tried meanwhile").isEmpty();
        second.election().resume();
        pass(Duration.ofSeconds(20), second);

        assertThat(ran).containsExactly("12:01 token 1", "12:02 late token 2");
        assertThat(second.observed).containsExactly("recovered jobs.run");
    }

    @Test
    void each_of_several_schedules_of_a_method_has_slots_of_its_own() {
        JobNode first = node(new Twice());
        JobNode second = node(new Twice());
        first.lead(1);
        pass(Duration.ofSeconds(59), first, second);
        first.kill();
        pass(Duration.ofSeconds(32), second);

        second.lead(2);

        assertThat(ran).containsExactly("12:00:30 token 1", "12:01 late token 2", "12:01:30 late token 2");
    }

    @Test
    void an_expression_that_changes_and_comes_back_runs_no_slot_again() {
        JobNode first = node(new Every());
        JobNode second = node(new EachHalf());
        first.lead(1);
        pass(Duration.ofSeconds(90), first, second);
        first.election().follow();
        second.lead(2);
        pass(Duration.ofSeconds(90), first, second);
        second.kill();
        pass(Duration.ofSeconds(30), first);

        first.lead(3);
        pass(Duration.ofSeconds(30), first);

        // The first has missed nothing: the second has led since, by another expression.
        assertThat(ran)
                .containsExactly(
                        "12:01 token 1", "12:02 token 2", "12:02:30 token 2", "12:03 token 2", "12:04 token 3");
    }

    @Test
    void an_expression_that_comes_back_on_a_node_with_a_clock_behind_runs_no_slot_again() {
        JobNode first = node(new Every());
        first.lead(1);
        pass(Duration.ofSeconds(70), first);
        first.kill();
        JobNode second = new JobNode(ledger, NOON.plusSeconds(71), new EachSecond());
        second.lead(2);
        pass(Duration.ofSeconds(52), second);
        second.kill();
        assertThat(ran).last().isEqualTo("12:02:03 token 2");

        JobNode third = new JobNode(ledger, NOON.plusSeconds(117), new Every());
        third.lead(3);
        pass(Duration.ofSeconds(5), third);

        assertThat(ran).last().isEqualTo("12:02:03 token 2");
        pass(Duration.ofSeconds(60), third);
        assertThat(ran).last().isEqualTo("12:03 token 3");
    }

    @Test
    void an_expression_and_a_zone_that_are_written_otherwise_are_the_same_schedule() {
        JobNode first = node(new Every());
        JobNode second = node(new EveryOtherwise());
        JobNode third = node(new Every());
        first.lead(1);
        pass(Duration.ofMinutes(1), first, second, third);
        first.kill();
        pass(Duration.ofMinutes(1), second, third);
        second.lead(2);
        pass(Duration.ofMinutes(1), second, third);
        second.kill();
        pass(Duration.ofMinutes(1), third);
        third.lead(3);

        assertThat(ran).containsExactly("12:01 token 1", "12:02 late token 2", "12:03 token 2", "12:04 late token 3");
    }

    @Test
    void two_schedules_that_name_the_same_time_run_the_method_once_for_it() {
        JobNode first = node(new Coinciding());
        JobNode second = node(new Coinciding());
        first.lead(1);
        pass(Duration.ofSeconds(60), first, second);
        first.kill();
        pass(Duration.ofSeconds(60), second);
        second.lead(2);
        pass(Duration.ofSeconds(30), second);
        third(3, Duration.ofSeconds(151));

        assertThat(ran)
                .containsExactly(
                        "12:00:30 token 1",
                        "12:01 token 1",
                        "12:01:30 late token 2",
                        "12:02 late token 2",
                        "12:02:30 token 2");
    }

    @Test
    void a_schedule_that_is_run_often_swallows_no_missed_slot_of_another_one_of_the_method() {
        JobNode first = node(new OftenAndSeldom());
        JobNode second = node(new OftenAndSeldom());
        first.lead(1);
        pass(Duration.ofSeconds(130), first, second);
        first.kill();
        pass(Duration.ofSeconds(70), second);
        second.lead(2);

        assertThat(ran)
                .containsExactlyInAnyOrder(
                        "12:01 token 1", "12:02 token 1", "12:02:15 late token 2", "12:03 late token 2");
    }

    @Test
    void slots_that_are_too_old_are_counted_once_also_if_nothing_is_run_after_them() {
        JobNode first = node(new Hourly());
        first.lead(1);
        first.kill();
        JobNode second = new JobNode(ledger, NOON.plus(Duration.ofMinutes(90)), new Hourly());
        second.lead(2);
        assertThat(second.observed).containsExactly("lost 1 of jobs.run");

        JobNode third = new JobNode(ledger, NOON.plus(Duration.ofMinutes(91)), new Hourly());
        third.lead(3);
        assertThat(third.observed).isEmpty();
        assertThat(ran).isEmpty();
    }

    /** Called in the next run of a job, once. */
    private Runnable inside = () -> {};

    /** The node ends while it runs its next job: it records the end of nothing. */
    private void dieInside(JobNode node) {
        inside = node::kill;
    }

    private JobNode node(Object bean) {
        return new JobNode(ledger, NOON, bean);
    }

    private JobNode ofFiveJobs(Instant now) {
        JobNode node = new JobNode(ledger, now);
        IntStream.rangeClosed(1, 5).forEach(number -> node.add("job" + number, new Every()));
        node.start();
        return node;
    }

    /** One more leader. */
    private JobNode third(long token, Duration after) {
        JobNode node = new JobNode(ledger, NOON.plus(after), new Every());
        node.lead(token);
        return node;
    }

    /** Time passes on these nodes alike. */
    private static void pass(Duration time, JobNode... nodes) {
        for (JobNode node : nodes) {
            node.scheduler.advance(time);
        }
    }

    private void note() {
        Runnable once = inside;
        inside = () -> {};
        ran.add(ScheduledSlot.current()
                .map(slot -> slot.scheduledAt().toString().replaceAll(".*T|(:00)?Z", "")
                        + (slot.isRecovery() ? " late" : "")
                        + (slot.isRerun() ? " again" : "")
                        + " token "
                        + FencingToken.current().orElseThrow())
                .orElse("no slot"));
        once.run();
    }

    class Latest {

        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m")
        public void run() {
            note();
        }
    }

    class Every {

        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m", recover = Recover.EVERY)
        public void run() {
            note();
        }
    }

    /** Its slots are too old soon. */
    class Secondly {

        @Scheduled(cron = "* * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "5s", recover = Recover.EVERY)
        public void run() {
            note();
        }
    }

    class Hourly {

        @Scheduled(cron = "0 0 * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m")
        public void run() {
            note();
        }
    }

    class Rerun {

        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m", rerunInterrupted = true)
        public void run() {
            note();
        }
    }

    class EachHalf {

        @Scheduled(cron = "0/30 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m", recover = Recover.EVERY)
        public void run() {
            note();
        }
    }

    class EachSecond {

        @Scheduled(cron = "* * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m", recover = Recover.EVERY)
        public void run() {
            note();
        }
    }

    class EveryOtherwise {

        @Scheduled(cron = "0  0/1 * * * *", zone = "GMT")
        @LeaderOnly(recoverWithin = "10m", recover = Recover.EVERY)
        public void run() {
            note();
        }
    }

    class Coinciding {

        @Scheduled(cron = "0/30 * * * * *", zone = "UTC")
        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m", recover = Recover.EVERY)
        public void run() {
            note();
        }
    }

    class OftenAndSeldom {

        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @Scheduled(cron = "15 2 * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m", recover = Recover.EVERY)
        public void run() {
            note();
        }
    }

    class Twice {

        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @Scheduled(cron = "30 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m")
        public void run() {
            note();
        }
    }
}
