package dev.election.spring.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.ScheduledSlot;
import dev.election.jobs.JobRun;
import dev.election.jobs.JobRun.Outcome;
import dev.election.jobs.requests.RunReport;
import dev.election.store.InMemoryLedgerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.scheduling.annotation.Scheduled;

@Timeout(60)
class RunByHandTest {

    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();
    private final List<String> ran = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);
    private final JobNode node = new JobNode(ledger, NOON, new Jobs());

    @Test
    void a_run_by_hand_has_no_slot_and_says_who_asked_for_it_and_why() {
        node.lead(7);

        assertThat(ask("jobs.minutely").outcome()).isEqualTo(RunReport.Outcome.STARTED);

        awaitEnd(1);
        assertThat(ran).containsExactly("minutely by hand");
        assertThat(node.runsOfAll())
                .extracting(JobRun::job, JobRun::slot, JobRun::token, JobRun::outcome, JobRun::requestedBy)
                .containsExactly(org.assertj.core.groups.Tuple.tuple(
                        "jobs.minutely",
                        Optional.empty(),
                        new FencingToken(7),
                        Outcome.DONE,
                        Optional.of("alice (bills are late) at me")));
    }

    @Test
    void nobody_runs_it_where_nobody_leads_or_nobody_has_it() {
        assertThat(ask("jobs.minutely"))
                .isEqualTo(RunReport.refused("Nobody leads 'default' at present, so nothing was run"));
        node.lead(7);
        assertThat(ask("jobs.named").detail())
                .contains(
                        "has no job 'jobs.named'", "[jobs.caller, jobs.minutely, jobs.often, jobs.plain, jobs.rarely]");
        node.election().resign();
        assertThat(ask("jobs.minutely").detail())
                .isEqualTo("me admits no work of 'default' now: it recovers, hands over or leads no more");
        assertThat(ran).isEmpty();
        node.election().resume();
        assertThat(ask("jobs.minutely").outcome()).isEqualTo(RunReport.Outcome.STARTED);
    }

    @Test
    void it_is_refused_while_it_runs_by_hand_or_by_its_schedule() throws InterruptedException {
        node.lead(7);
        gate = new CountDownLatch(1);
        assertThat(ask("jobs.minutely").outcome()).isEqualTo(RunReport.Outcome.STARTED);
        assertThat(ask("jobs.minutely")).isEqualTo(RunReport.refused("'jobs.minutely' runs on me now"));
        gate.countDown();
        awaitEnd(1);

        gate = new CountDownLatch(1);
        Thread due = new Thread(() -> node.scheduler.advance(Duration.ofMinutes(1)));
        due.start();
        Awaitility.await("the slot runs").until(() -> ran.contains("minutely 12:01"));
        assertThat(ask("jobs.minutely").outcome()).isEqualTo(RunReport.Outcome.REFUSED);
        gate.countDown();
        due.join();
        awaitEnd(2);
        assertThat(ask("jobs.minutely").outcome()).isEqualTo(RunReport.Outcome.STARTED);
        awaitEnd(3);
    }

    @Test
    void a_slot_that_is_due_meanwhile_runs_once_after_it() throws InterruptedException {
        Thread due = slotThatWaits();
        assertThat(ran).containsExactly("minutely by hand");
        assertThat(ledger.entries("default").keySet()).noneMatch(name -> name.contains("@" + slot(1)));
        gate.countDown();
        due.join();
        awaitEnd(2);

        assertThat(ran).containsExactly("minutely by hand", "minutely 12:01");
    }

    @Test
    void a_slot_that_waits_is_left_to_the_next_leader_if_leadership_ends_meanwhile() throws InterruptedException {
        Thread due = slotThatWaits();
        node.election().follow();
        gate.countDown();
        due.join();
        assertThat(ran).containsExactly("minutely by hand");

        JobNode next = new JobNode(ledger, NOON.plusSeconds(90), new Jobs());
        next.lead(8);

        assertThat(ran).containsExactly("minutely by hand", "minutely 12:01");
    }

    @Test
    void a_slot_that_waits_does_not_begin_while_leadership_is_handed_over() throws InterruptedException {
        Thread due = slotThatWaits();
        node.election().resign();
        gate.countDown();
        due.join();
        awaitEnd(1);
        assertThat(ran).containsExactly("minutely by hand");
        assertThat(ledger.entries("default").keySet()).noneMatch(name -> name.contains("@" + slot(1)));
    }

    @Test
    void a_missed_slot_that_is_being_claimed_runs_before_it() {
        node.lead(7);
        node.scheduler.advance(Duration.ofMinutes(1));
        node.kill();
        JobNode next = new JobNode(ledger, NOON.plusSeconds(150), new Jobs());
        ran.clear();
        List<RunReport> asked = new CopyOnWriteArrayList<>();
        next.onClaim(
                () -> asked.add(ask(next, "jobs.minutely").toCompletableFuture().join()));
        next.lead(8);
        assertThat(asked).containsExactly(RunReport.refused("'jobs.minutely' runs on me now"));
        assertThat(ran).containsExactly("minutely 12:02");
    }

    @Test
    void a_missed_slot_is_not_claimed_before_it_has_ended() {
        node.lead(7);
        node.scheduler.advance(Duration.ofMinutes(1));
        node.kill();
        JobNode next = new JobNode(ledger, NOON.plusSeconds(150), new Jobs());
        ran.clear();
        gate = new CountDownLatch(1);
        next.election().lead(8);
        CompletionStage<RunReport> asked = ask(next, "jobs.minutely");
        assertThat(asked.toCompletableFuture().join().outcome()).isEqualTo(RunReport.Outcome.STARTED);

        next.scheduler.advance(Duration.ofSeconds(1));
        assertThat(ledger.entries("default").keySet()).noneMatch(name -> name.contains("@" + slot(2)));
        gate.countDown();
        Awaitility.await("the missed slot is run").until(() -> {
            next.scheduler.advance(Duration.ofSeconds(1));
            return ran.contains("minutely 12:02");
        });
        assertThat(ran).containsExactly("minutely by hand", "minutely 12:02");
    }

    @Test
    void a_call_by_the_application_does_not_wait_for_it() {
        node.lead(7);
        gate = new CountDownLatch(1);
        ask("jobs.often");
        Awaitility.await("it runs").until(() -> ran.contains("often"));

        ((Jobs) node.bean("jobs")).often();

        assertThat(ran).containsExactly("often", "often");
        gate.countDown();
    }

    @Test
    void a_part_of_other_work_does_not_wait_for_it() {
        node.lead(7);
        gate = new CountDownLatch(1);
        ask("jobs.often");
        Awaitility.await("it runs").until(() -> ran.contains("often"));
        ran.remove("often");
        CountDownLatch held = gate;

        gate = new CountDownLatch(0);
        node.scheduler.advanceTo(NOON.plus(Duration.ofMinutes(59)));

        assertThat(ran).contains("often");
        held.countDown();
    }

    @Test
    void a_call_that_waited_until_leadership_ended_is_not_made() throws InterruptedException {
        node.lead(7);
        node.scheduler.advanceTo(NOON.plus(Duration.ofMinutes(57)));
        gate = new CountDownLatch(1);
        ask("jobs.plain");
        Awaitility.await("it runs").until(() -> ran.contains("plain"));
        Thread due = new Thread(() -> node.scheduler.advanceTo(NOON.plus(Duration.ofMinutes(58))));
        due.start();
        Awaitility.await("the call waits").until(() -> due.getState() == Thread.State.WAITING);
        node.election().follow();
        gate.countDown();
        due.join();
        assertThat(ran).containsOnlyOnce("plain");
    }

    @Test
    void a_job_that_may_not_start_again_yet_is_refused() {
        node.lead(7);
        assertThat(ask("jobs.rarely").outcome()).isEqualTo(RunReport.Outcome.STARTED);
        awaitEnd(1);
        assertThat(ask("jobs.rarely").detail()).contains("atLeastFor is not over");
        assertThat(ran).containsExactly("rarely");
    }

    /** A run by hand goes on until the gate is open, and a slot that is due waits for it on that thread. */
    private Thread slotThatWaits() {
        node.lead(7);
        gate = new CountDownLatch(1);
        ask("jobs.minutely");
        Awaitility.await("it runs").until(() -> ran.contains("minutely by hand"));
        Thread due = new Thread(() -> node.scheduler.advance(Duration.ofMinutes(1)));
        due.start();
        Awaitility.await("the slot waits").until(() -> due.getState() == Thread.State.WAITING);
        return due;
    }

    private RunReport ask(String job) {
        return ask(node, job).toCompletableFuture().join();
    }

    private static CompletionStage<RunReport> ask(JobNode asked, String job) {
        return asked.requests.request(asked.election(), job, "alice (bills are late)", Duration.ofSeconds(1));
    }

    private static long slot(int minute) {
        return NOON.plus(Duration.ofMinutes(minute)).toEpochMilli();
    }

    private void awaitEnd(int runs) {
        Awaitility.await("the runs have ended")
                .until(() -> node.runs.size() == runs && node.election().runningWork() == 0);
    }

    public class Jobs {

        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m")
        public void minutely() throws InterruptedException {
            ran.add("minutely "
                    + ScheduledSlot.current()
                            .map(slot -> slot.scheduledAt().toString().substring(11, 16))
                            .orElse("by hand"));
            gate.await();
        }

        @Scheduled(fixedDelay = 60_000)
        @LeaderOnly
        public void often() {
            ran.add("often");
            if (ran.size() == 1) {
                await();
            }
        }

        @Scheduled(cron = "30 58 12 * * *", zone = "UTC")
        @LeaderOnly
        public void caller() {
            ((Jobs) node.bean("jobs")).often();
        }

        @Scheduled(cron = "30 57 12 * * *", zone = "UTC")
        @LeaderOnly
        public void plain() {
            ran.add("plain");
            await();
        }

        @Scheduled(fixedDelay = 60_000)
        @LeaderOnly(atLeastFor = "10m")
        public void rarely() {
            ran.add("rarely");
        }

        @LeaderOnly(job = "named")
        public void named() {}

        private void await() {
            try {
                gate.await();
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
