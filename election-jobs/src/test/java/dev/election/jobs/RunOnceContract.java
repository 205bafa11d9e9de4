package dev.election.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ElectionConfigurationException;
import dev.election.FencingToken;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.store.CampaignRequest;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.RenewRequest;
import dev.election.store.StoreRequest;
import dev.election.testing.LoggedLines;
import dev.election.testing.Opened;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** Tasks that run once for all processes, over each kind of store. */
@DisplayNameGeneration(ReplaceUnderscores.class)
public abstract class RunOnceContract {

    /** More than all leases and pauses of one test. */
    private static final long LONGEST = 30;

    private static final AtomicInteger tests = new AtomicInteger();

    private final String id = "task-" + tests.incrementAndGet();
    private final AtomicInteger runs = new AtomicInteger();
    private final AtomicLong clock = new AtomicLong();

    private final Opened opened = new Opened();

    /** Opens the store as one more process does. */
    protected abstract LeaseStore open(Opened opened);

    /** A short lease of that store. */
    protected abstract Duration lease();

    @AfterEach
    void close() throws Exception {
        opened.close();
    }

    @Test
    void of_many_processes_one_runs_the_task_and_all_others_return_after_it() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        AtomicInteger running = new AtomicInteger();
        List<CompletableFuture<Boolean>> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            all.add(process("node-" + i, "1", open(opened)).run(id, work -> {
                assertThat(running.incrementAndGet()).isEqualTo(1);
                runs.incrementAndGet();
                mayEnd.await();
                running.decrementAndGet();
            }));
        }
        await(() -> runs.get() == 1);
        assertThat(all).noneMatch(CompletableFuture::isDone);
        mayEnd.countDown();
        int here = 0;
        for (CompletableFuture<Boolean> one : all) {
            here += get(one) ? 1 : 0;
        }
        assertThat(here).isEqualTo(1);
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_process_that_is_stopped_leaves_the_task_at_once_and_without_a_failure() throws Exception {
        LeaseStore store = open(opened);
        OnceRunner first = OnceRunner.over(store)
                .as(() -> new NodeInfo("first", "localhost"))
                .version("1")
                .timing(Timing.ofLease(Duration.ofMinutes(10)));
        CompletableFuture<Boolean> stopped = CompletableFuture.supplyAsync(() -> first.run(id, work -> {
            runs.incrementAndGet();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException wrapped) {
                throw new IllegalStateException(wrapped);
            }
        }));
        await(() -> runs.get() == 1);
        first.stop();
        assertThatThrownBy(stopped::join).hasCauseInstanceOf(CancellationException.class);
        assertThatThrownBy(() -> first.run(id, work -> {})).isInstanceOf(CancellationException.class);

        AtomicInteger failures = new AtomicInteger();
        CompletableFuture<Boolean> second = process("second", "1", open(opened)).run(id, work -> {
            failures.incrementAndGet();
            letTimePass();
            if (failures.get() < 3) {
                throw new IllegalStateException("as the test wants it");
            }
        });
        assertThat(get(second))
                .as("the third try, within the lease of the first")
                .isTrue();
    }

    @Test
    void whoever_comes_later_does_not_take_part() throws Exception {
        assertThat(get(process("first", "1", open(opened)).run(id, work -> {}))).isTrue();
        Cut cut = new Cut(open(opened));
        cut.refusesCampaigns = true;
        cut.refusesRenewals = true;
        assertThat(get(process("second", "2", cut).run(id, work -> runs.incrementAndGet())))
                .isFalse();
        assertThat(runs).hasValue(0);
        assertThat(cut.sent).hasValue(0);
    }

    @Test
    void a_process_that_is_granted_the_election_after_the_end_of_the_task_reads_that_it_is_done() throws Exception {
        CompletableFuture<Boolean> prepared = new CompletableFuture<>();
        Cut late = new Cut(open(opened)) {
            @Override
            public CompletionStage<?> prepare() {
                refusesReads = true;
                return prepared;
            }
        };
        CompletableFuture<Boolean> second = process("second", "1", late).run(id, work -> runs.incrementAndGet());
        await(() -> late.refusesReads);
        assertThat(get(process("first", "1", open(opened)).run(id, work -> runs.incrementAndGet())))
                .isTrue();
        prepared.complete(true);
        assertThat(get(second)).isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_process_that_was_paused_after_it_had_read_does_not_run_what_another_one_has_done_since() throws Exception {
        Cut paused = new Cut(open(opened));
        CompletableFuture<Boolean> goesOn = new CompletableFuture<>();
        paused.reading = goesOn;
        CompletableFuture<Boolean> first = process("first", "1", paused).run(id, work -> runs.incrementAndGet());
        await(() -> paused.openings.get() == 1);
        paused.refusesRenewals = true;
        paused.refusesCampaigns = true;
        assertThat(get(process("second", "1", open(opened)).run(id, work -> runs.incrementAndGet())))
                .isTrue();
        goesOn.complete(true);
        assertThat(get(first)).isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_process_that_waits_need_not_be_granted_the_election() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        CompletableFuture<Boolean> first = process("first", "1", open(opened)).run(id, work -> {
            runs.incrementAndGet();
            mayEnd.await();
        });
        await(() -> runs.get() == 1);
        Cut waiting = new Cut(open(opened));
        CompletableFuture<Boolean> second = process("second", "1", waiting).run(id, work -> runs.incrementAndGet());
        await(() -> waiting.sent.get() > 0);
        waiting.refusesCampaigns = true;
        mayEnd.countDown();
        assertThat(get(first)).isTrue();
        assertThat(get(second)).isFalse();
        assertThat(runs).hasValue(1);
    }

    @Test
    void a_runner_that_lost_its_leadership_is_interrupted_and_cannot_say_late_that_the_task_is_done() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        CountDownLatch mayReturn = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Cut cut = new Cut(open(opened));
        CompletableFuture<Boolean> first = process("first", "1", cut).run(id, work -> {
            runs.incrementAndGet();
            assertThatThrownBy(() -> new CountDownLatch(1).await()).isInstanceOf(InterruptedException.class);
            interrupted.countDown();
            mayReturn.await();
        });
        await(() -> runs.get() == 1);
        CompletableFuture<Boolean> second = process("second", "1", open(opened)).run(id, work -> {
            runs.incrementAndGet();
            mayEnd.await();
        });
        cut.refusesRenewals = true;
        cut.refusesCampaigns = true;
        assertThat(interrupted.await(LONGEST, TimeUnit.SECONDS)).isTrue();
        await(() -> runs.get() == 2);
        mayReturn.countDown();
        await(() -> cut.writes.get() == 1);
        assertThat(stored()).doesNotContain("done=");
        assertThat(first).isNotDone();
        mayEnd.countDown();
        assertThat(get(second)).isTrue();
        assertThat(get(first)).isFalse();
        assertThat(runs).hasValue(2);
        assertThat(stored()).contains("done=second\nversion=1\n");
    }

    @Test
    void a_task_that_is_done_when_the_leadership_has_just_ended_counts_if_nobody_has_begun_it_since() throws Exception {
        Cut cut = new Cut(open(opened));
        CompletableFuture<Boolean> first = process("first", "1", cut).run(id, work -> {
            cut.refusesRenewals = true;
            cut.refusesCampaigns = true;
            assertThatThrownBy(() -> new CountDownLatch(1).await()).isInstanceOf(InterruptedException.class);
            assertThat(work.isCurrent()).isFalse();
        });
        assertThat(get(first)).isTrue();
        assertThat(get(process("second", "1", open(opened)).run(id, work -> runs.incrementAndGet())))
                .isFalse();
        assertThat(runs).hasValue(0);
    }

    @Test
    void a_task_that_throws_is_tried_three_times_for_each_version() throws Exception {
        OnceRunner.Task failing = work -> {
            letTimePass();
            runs.incrementAndGet();
            throw new IllegalStateException("no such column");
        };
        CompletableFuture<Boolean> one = process("one", "1", open(opened)).run(id, failing);
        CompletableFuture<Boolean> other = process("other", "1", open(opened)).run(id, failing);
        for (CompletableFuture<Boolean> each : List.of(one, other)) {
            assertThatThrownBy(() -> get(each))
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(id, "three times in version '1'", "no such column");
        }
        assertThat(runs).hasValue(3);
        assertThatThrownBy(() -> get(process("late", "1", open(opened)).run(id, failing)))
                .hasMessageContaining("three times");
        assertThat(runs).hasValue(3);
        assertThat(get(process("mended", "2", open(opened)).run(id, work -> runs.incrementAndGet())))
                .isTrue();
        assertThat(get(process("again", "1", open(opened)).run(id, failing))).isFalse();
        assertThat(runs).hasValue(4);
    }

    @Test
    void the_next_try_follows_a_lease_later() throws Exception {
        Duration lease = Duration.ofMinutes(5);
        List<Long> tries = new CopyOnWriteArrayList<>();
        OnceRunner.Task failing = work -> {
            tries.add(clock.get());
            if (tries.size() == 1) {
                throw new IllegalStateException("as the test wants it");
            }
        };
        List<CompletableFuture<Boolean>> both = new ArrayList<>();
        for (String node : List.of("one", "other")) {
            both.add(process(node, "1", lease, open(opened)).run(id, failing));
        }
        await(() -> !tries.isEmpty());
        await(() -> {
            // Less than ten minutes: a machine that is slow must not make them give up.
            if (clock.get() < lease.multipliedBy(3).dividedBy(2).toNanos()) {
                clock.addAndGet(lease.dividedBy(20).toNanos());
            }
            return both.stream().allMatch(CompletableFuture::isDone);
        });
        assertThat(tries).hasSize(2);
        assertThat(tries.get(1) - tries.get(0)).isGreaterThanOrEqualTo(lease.toNanos());
    }

    @Test
    void without_a_version_each_process_tries_three_times_and_fails_with_the_cause() throws Exception {
        IllegalStateException cause = new IllegalStateException("no such column");
        assertThatThrownBy(() -> get(process("node", "", open(opened)).run(id, work -> {
                    runs.incrementAndGet();
                    letTimePass();
                    throw cause;
                })))
                .cause()
                .hasMessageContainingAll(id, "three times in this process", "no such column")
                .hasCause(cause);
        assertThat(runs).hasValue(3);
        assertThat(get(process("node", "", open(opened)).run(id, work -> runs.incrementAndGet())))
                .isTrue();
        assertThat(runs).hasValue(4);
    }

    @Test
    void a_process_waits_ten_minutes_while_nobody_runs_the_task_and_longer_while_somebody_does() throws Exception {
        CountDownLatch mayEnd = new CountDownLatch(1);
        try (LoggedLines lines = new LoggedLines("dev.election.jobs")) {
            CompletableFuture<Boolean> first = process("first", "1", open(opened))
                    .run(id, work -> {
                        runs.incrementAndGet();
                        mayEnd.await();
                    });
            await(() -> runs.get() == 1);
            Cut cut = new Cut(open(opened));
            CompletableFuture<Boolean> second = process("second", "1", cut).run(id, work -> runs.incrementAndGet());
            String waits = "Waits for the task '" + id + "', which first runs since";
            await(() -> lines.with(waits).size() == 1);
            clock.addAndGet(Duration.ofHours(1).toNanos());
            await(() -> lines.with(waits).size() == 2);
            assertThat(second).isNotDone();

            Cut away = new Cut(open(opened));
            away.refusesCampaigns = true;
            CompletableFuture<Boolean> third = process("third", "1", away).run(id, work -> runs.incrementAndGet());
            await(() -> away.sent.get() > 0);
            clock.addAndGet(OnceRunner.WAIT.minusSeconds(1).toNanos());
            await(() -> lines.with(waits).size() == 3);
            assertThat(third).isNotDone();
            clock.addAndGet(Duration.ofSeconds(1).toNanos());
            assertThatThrownBy(() -> get(third))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("The task '" + id + "' is not done, and nobody has run it for 10 min");
            mayEnd.countDown();
            assertThat(get(first)).isTrue();
            assertThat(get(second)).isFalse();
        }
    }

    @Test
    void whoever_has_run_or_waited_for_long_waits_ten_minutes_again_when_nobody_leads() throws Exception {
        try (LoggedLines lines = new LoggedLines("dev.election.jobs")) {
            Cut dying = new Cut(open(opened));
            CompletableFuture<Boolean> first = process("first", "1", dying).run(id, work -> {
                if (runs.incrementAndGet() == 1) {
                    new CountDownLatch(1).await();
                }
            });
            await(() -> runs.get() == 1);
            Cut waiting = new Cut(open(opened));
            CompletableFuture<Boolean> second = process("second", "1", waiting).run(id, work -> runs.incrementAndGet());
            String waits = "Waits for the task '" + id + "', which first runs since";
            await(() -> lines.with(waits).size() == 1);
            clock.addAndGet(Duration.ofHours(1).toNanos());
            await(() -> lines.with(waits).size() == 2);
            dying.refusesRenewals = true;
            dying.refusesCampaigns = true;
            waiting.refusesCampaigns = true;
            int sent = waiting.sent.get();
            await(() -> lines.with("'" + id + "' ended while it ran").size() == 1);
            // Later than the end of the lease that it knew.
            await(() -> waiting.sent.get() > sent + 5);
            waiting.refusesCampaigns = false;
            dying.refusesCampaigns = false;
            dying.refusesRenewals = false;
            boolean here = get(first);
            assertThat(get(second)).isNotEqualTo(here);
            assertThat(runs).hasValue(2);
        }
    }

    @Test
    void a_store_without_ledgers_is_an_error() {
        LeaseStore without = new ForwardingLeaseStore(open(opened)) {
            @Override
            public Optional<LedgerStore> ledgerStore() {
                return Optional.empty();
            }
        };
        assertThatThrownBy(() -> get(process("node", "1", without).run(id, work -> {})))
                .cause()
                .isInstanceOf(ElectionConfigurationException.class);
    }

    /** The text in the state of the election, empty if there is none. */
    private String stored() throws Exception {
        LedgerStore.ReadReply reply = open(opened)
                .ledgerStore()
                .orElseThrow()
                .beside("state")
                .read(OnceRunner.election(id))
                .toCompletableFuture()
                .get(LONGEST, TimeUnit.SECONDS);
        return ((LedgerStore.Contents) reply).entries().getOrDefault("text", "");
    }

    /** More than a lease, some time after the task of the caller has failed. */
    private void letTimePass() {
        CompletableFuture.delayedExecutor(500, TimeUnit.MILLISECONDS)
                .execute(() -> clock.addAndGet(lease().plusSeconds(1).toNanos()));
    }

    private Process process(String node, String version, LeaseStore store) {
        return process(node, version, lease(), store);
    }

    private Process process(String node, String version, Duration lease, LeaseStore store) {
        OnceRunner once = OnceRunner.over(store)
                .as(() -> new NodeInfo(node, node + ":80"))
                .version(version)
                .timing(Timing.ofLease(lease))
                .clock(clock::get);
        return (task, work) -> {
            CompletableFuture<Boolean> ran = new CompletableFuture<>();
            Thread thread = new Thread(
                    () -> {
                        try {
                            ran.complete(once.run(task, work));
                        } catch (Exception | Error failure) {
                            ran.completeExceptionally(failure);
                        }
                    },
                    node);
            thread.setDaemon(true);
            thread.start();
            return ran;
        };
    }

    private static void await(Callable<Boolean> condition) {
        Awaitility.await().atMost(LONGEST, TimeUnit.SECONDS).until(condition);
    }

    private static boolean get(CompletableFuture<Boolean> ran) throws Exception {
        return ran.get(LONGEST, TimeUnit.SECONDS);
    }

    /** One process that runs a task. */
    private interface Process {
        CompletableFuture<Boolean> run(String id, OnceRunner.Task task);
    }

    /** A store that a process does not reach with some of its requests. */
    private static class Cut extends ForwardingLeaseStore {

        final AtomicInteger sent = new AtomicInteger();
        final AtomicInteger writes = new AtomicInteger();
        final AtomicInteger openings = new AtomicInteger();
        volatile boolean refusesCampaigns;
        volatile boolean refusesRenewals;
        volatile boolean refusesReads;
        volatile CompletableFuture<Boolean> reading = CompletableFuture.completedFuture(true);

        Cut(LeaseStore store) {
            super(store);
        }

        @Override
        public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
            List<CompletionStage<?>> replies = new ArrayList<>();
            for (StoreRequest<?> request : requests) {
                boolean isRefused = request instanceof CampaignRequest && refusesCampaigns
                        || request instanceof RenewRequest && refusesRenewals;
                replies.add(
                        isRefused
                                ? CompletableFuture.completedFuture(noAnswer())
                                : super.send(List.of(request)).get(0));
            }
            sent.addAndGet(replies.size());
            return replies;
        }

        @Override
        public Optional<LedgerStore> ledgerStore() {
            return super.ledgerStore().map(CutLedger::new);
        }

        private static NoAnswer noAnswer() {
            return new NoAnswer(StoreProblem.UNREACHABLE, "cut off");
        }

        private final class CutLedger implements LedgerStore {

            private final LedgerStore ledger;

            CutLedger(LedgerStore ledger) {
                this.ledger = ledger;
            }

            @Override
            public CompletionStage<OpenReply> open(String election, FencingToken token) {
                return ledger.open(election, token)
                        .whenComplete((reply, failure) -> openings.incrementAndGet())
                        .thenCombine(reading, (reply, goesOn) -> reply);
            }

            @Override
            public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
                return ledger.write(election, token, change).whenComplete((reply, failure) -> writes.incrementAndGet());
            }

            @Override
            public CompletionStage<ReadReply> read(String election) {
                return refusesReads ? CompletableFuture.completedFuture(noAnswer()) : ledger.read(election);
            }

            @Override
            public LedgerStore beside(String name) {
                return new CutLedger(ledger.beside(name));
            }
        }
    }
}
