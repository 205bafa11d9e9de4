package dev.election.spring.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.StoreUnavailableException;
import dev.election.jobs.JobRun;
import dev.election.jobs.JobRun.Outcome;
import dev.election.store.InMemoryLedgerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.Scheduled;
import reactor.core.publisher.Mono;

class RunRecordsTest {

    private static final Instant NOON = Instant.parse("2026-06-01T12:00:00Z");

    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();
    private Runnable work = () -> {};
    private CompletableFuture<String> later = new CompletableFuture<>();

    @Test
    void a_run_has_its_slot_node_token_times_and_outcome() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        work = () -> node.scheduler.advance(Duration.ofSeconds(5));
        node.scheduler.advance(Duration.ofMinutes(1));

        Instant slot = NOON.plusSeconds(60);
        JobRun run = new JobRun(
                "default",
                "billing",
                Optional.of(slot),
                node.elections.node(),
                new FencingToken(7),
                slot,
                Optional.of(slot.plusSeconds(5)),
                Outcome.DONE,
                Optional.empty(),
                Optional.empty());
        assertThat(node.runsOfAll()).containsExactly(run);
        assertThat(node.runs).containsExactly(run);
    }

    @Test
    void runs_of_methods_without_slots_are_recorded_too_and_calls_of_other_methods_are_not() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        jobs(node).eachMinute();
        jobs(node).noJob();

        assertThat(node.runsOfAll())
                .extracting(JobRun::job, JobRun::slot, JobRun::outcome)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("jobs.eachMinute", Optional.empty(), Outcome.DONE));
    }

    @Test
    void a_run_that_is_written_while_the_records_are_read_is_among_them() {
        InMemoryLedgerStore records = ledger.beside("runs");
        CompletableFuture<Void> opened = records.holdBack();
        CompletableFuture<Void> read = records.holdBackReads();
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        jobs(node).eachMinute();
        CompletionStage<List<JobRun>> answer = node.askForRuns();

        opened.complete(null);
        assertThat(records.entries("default")).hasSize(1);
        read.complete(null);

        assertThat(answer.toCompletableFuture().join())
                .extracting(JobRun::outcome)
                .containsExactly(Outcome.DONE);
    }

    @Test
    void a_run_that_fails_has_the_class_of_its_exception() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        work = () -> {
            throw new UnsupportedOperationException("not in the record");
        };
        assertThatThrownBy(() -> jobs(node).eachMinute()).isInstanceOf(UnsupportedOperationException.class);

        assertLast(node, Outcome.FAILED, "java.lang.UnsupportedOperationException");
    }

    @Test
    void a_run_that_ends_because_it_was_interrupted_says_so() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        work = () -> {
            throw new IllegalStateException(new InterruptedException());
        };
        assertThatThrownBy(() -> jobs(node).eachMinute()).isInstanceOf(IllegalStateException.class);

        assertLast(node, Outcome.INTERRUPTED, "java.lang.IllegalStateException");
    }

    @Test
    void a_run_lasts_until_its_stage_completes() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        CompletableFuture<String> result = jobs(node).later();
        assertLast(node, Outcome.RUNNING, null);

        later.completeExceptionally(new CompletionException(new UnsupportedOperationException()));
        assertThat(result).isCompletedExceptionally();
        assertLast(node, Outcome.FAILED, "java.lang.UnsupportedOperationException");
    }

    @Test
    void a_cancelled_stage_is_an_interrupted_run() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        jobs(node).later().cancel(true);

        assertLast(node, Outcome.INTERRUPTED, "java.util.concurrent.CancellationException");
    }

    @Test
    void each_subscription_is_a_run() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        Mono<String> reactive = jobs(node).reactive();
        assertThat(node.runsOfAll()).isEmpty();

        reactive.subscribe().dispose();
        assertLast(node, Outcome.INTERRUPTED, "java.util.concurrent.CancellationException");
        later.completeExceptionally(new UnsupportedOperationException());
        reactive.subscribe(value -> {}, failure -> {});
        assertLast(node, Outcome.FAILED, "java.lang.UnsupportedOperationException");
        later = CompletableFuture.completedFuture("done");
        reactive.subscribe();
        assertLast(node, Outcome.DONE, null);
        assertThat(node.runsOfAll()).hasSize(3);
    }

    @Test
    void what_became_of_a_run_whose_leader_died_is_unknown() {
        JobNode first = new JobNode(ledger, NOON, new Jobs());
        JobNode second = new JobNode(ledger, NOON, new Jobs());
        first.lead(7);
        CompletableFuture<String> never = jobs(first).later();
        assertLast(first, Outcome.RUNNING, null);

        first.kill();
        second.lead(8);
        assertLast(second, Outcome.UNKNOWN, null);
        assertThat(never).isNotDone();
    }

    @Test
    void a_leader_that_was_superseded_changes_nothing_but_the_end_of_its_own_runs() {
        JobNode first = new JobNode(ledger, NOON, new Jobs());
        JobNode second = new JobNode(ledger, NOON, new Jobs());
        first.lead(7);
        jobs(first).later();
        second.lead(8);
        jobs(second).eachMinute();
        first.election().follow();
        assertOutcomes(second, Outcome.DONE, Outcome.UNKNOWN);
        assertOutcomes(first, Outcome.DONE, Outcome.RUNNING);

        later.complete("too late for its leadership");
        assertThat(first.runs).hasSize(1);
        assertOutcomes(second, Outcome.DONE, Outcome.DONE);

        jobs(second).eachMinute();
        assertOutcomes(second, Outcome.DONE, Outcome.DONE, Outcome.DONE);
        assertThat(second.runsOfAll())
                .extracting(run -> run.token().value())
                .as("the latest first")
                .containsExactly(8L, 8L, 7L);
    }

    @Test
    void a_leader_that_was_superseded_knows_its_own_runs_also_if_its_id_was_drawn_anew() {
        JobNode first = new JobNode(ledger, NOON, new Jobs());
        JobNode second = new JobNode(ledger, NOON, new Jobs());
        first.lead(7);
        jobs(first).eachMinute();
        first.elections.rename("drawn anew");
        first.lead(8);
        jobs(first).later();
        second.lead(9);
        jobs(second).eachMinute();

        later.complete("too late for its leadership");
        assertOutcomes(second, Outcome.DONE, Outcome.DONE, Outcome.DONE);
    }

    @Test
    void only_the_latest_runs_of_each_job_are_kept_whoever_ran_them() {
        JobNode first = new JobNode(ledger, NOON, new Jobs());
        first.lead(7);
        jobs(first).later();
        for (int i = 0; i < 15; i++) {
            jobs(first).eachMinute();
        }
        JobNode second = new JobNode(ledger, NOON, new Jobs());
        second.lead(8);
        for (int i = 0; i < 15; i++) {
            jobs(second).eachMinute();
        }

        assertThat(second.runsOfAll().stream().filter(run -> run.job().equals("jobs.eachMinute")))
                .hasSize(20)
                .satisfies(runs -> assertThat(runs.get(0).token().value()).isEqualTo(8))
                .satisfies(runs -> assertThat(runs.get(19).token().value()).isEqualTo(7));
        assertThat(second.runsOfAll()).hasSize(21);
        assertThat(ledger.beside("runs").entries("default")).hasSize(21);
    }

    @Test
    void fewer_runs_of_each_job_are_kept_where_they_are_too_many_for_the_store() {
        ledger.beside("runs").limit(12);
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        for (int i = 0; i < 15; i++) {
            jobs(node).eachMinute();
        }

        assertThat(ledger.beside("runs").entries("default")).hasSize(10);
        assertThat(node.runsOfAll()).hasSize(10).extracting(JobRun::outcome).containsOnly(Outcome.DONE);
    }

    @Test
    void a_leader_writes_again_what_the_store_has_lost() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        jobs(node).eachMinute();
        jobs(node).eachMinute();
        ledger.forget();
        assertThat(node.runsOfAll()).isEmpty();
        jobs(node).eachMinute();

        assertThat(node.runsOfAll()).hasSize(3);
    }

    @Test
    void a_store_that_does_not_answer_costs_no_run_and_is_told_to_who_asks() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.lead(7);
        node.cutOff(true);
        jobs(node).eachMinute();
        assertThat(node.runs).hasSize(1);
        assertThatThrownBy(node::runsOfAll).hasCauseInstanceOf(StoreUnavailableException.class);

        node.cutOff(false);
        assertThat(node.runsOfAll()).hasSize(1);
    }

    @Test
    void a_listener_that_fails_keeps_no_work_open() {
        JobNode node = new JobNode(ledger, NOON, new Jobs());
        node.listenToRuns(run -> {
            throw new IllegalStateException("as the test wants it");
        });
        node.lead(7);
        jobs(node).eachMinute();

        assertThat(node.election().runningWork()).isZero();
        assertLast(node, Outcome.DONE, null);
    }

    @Test
    void jobs_that_have_not_run_for_long_are_forgotten() {
        JobNode node = new JobNode(ledger, NOON.minus(Duration.ofDays(3_650)), new Jobs());
        node.lead(7);
        jobs(node).later();
        JobNode next = new JobNode(ledger, NOON, new Jobs());
        next.lead(8);
        jobs(next).eachMinute();

        assertThat(next.runsOfAll())
                .extracting(JobRun::job)
                .contains("jobs.eachMinute")
                .doesNotContain("later");
    }

    private static void assertOutcomes(JobNode node, Outcome... latestFirst) {
        assertThat(node.runsOfAll()).extracting(JobRun::outcome).containsExactly(latestFirst);
    }

    private static void assertLast(JobNode node, Outcome outcome, @org.jspecify.annotations.Nullable String failure) {
        JobRun last = node.runsOfAll().get(0);
        assertThat(last.outcome()).isEqualTo(outcome);
        assertThat(last.failure()).isEqualTo(Optional.ofNullable(failure));
    }

    private static Jobs jobs(JobNode node) {
        return (Jobs) node.bean("jobs");
    }

    class Jobs {

        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m", job = "billing")
        void billing() {
            work.run();
        }

        @Scheduled(fixedRate = 60_000)
        @LeaderOnly
        void eachMinute() {
            work.run();
        }

        @LeaderOnly(job = "later")
        CompletableFuture<String> later() {
            return later;
        }

        @LeaderOnly(job = "reactive")
        Mono<String> reactive() {
            return Mono.fromFuture(later, true);
        }

        @LeaderOnly
        void noJob() {}
    }
}
