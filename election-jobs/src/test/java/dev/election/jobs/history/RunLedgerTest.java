package dev.election.jobs.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.jobs.JobRun;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.support.SharedProblem;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

/** Runs of an election in their ledger, and the log lines if they can't be written. */
class RunLedgerTest {

    private static final List<String> ELECTIONS =
            IntStream.range(0, 21).mapToObj(i -> "e" + i).toList();
    private static final NoAnswer FORBIDDEN = new NoAnswer(StoreProblem.FORBIDDEN, "as the test wants it");
    private final SharedProblem unrecorded = new SharedProblem();

    @Test
    void runs_that_a_newer_leader_records_are_no_longer_unrecorded() {
        InMemoryLedgerStore store = new InMemoryLedgerStore();
        RunLedger ledger = new RunLedger(store, "e", () -> "own", 10, InstantSource.system(), unrecorded);
        RecordedRun ofAnother = RecordedRun.parse("e", "job@1.1", "- 1000 - CLAIMED - another");
        try (LoggedLines log = new LoggedLines(RunLedger.class.getName())) {
            store.fail(true);
            ledger.put(new FencingToken(2), ofAnother);
            ledger.flush();
            assertThat(log.with("can't be recorded now")).hasSize(1);
            store.fail(false);
            store.open("e", new FencingToken(3)).toCompletableFuture().join();
            ledger.flush();
            assertThat(ledger.unwritten()).isEmpty();
            assertThat(log.with("The runs of all jobs are recorded again")).hasSize(1);
            of("later").openFailed(FORBIDDEN, 1);
            assertThat(log.with("of the election 'later' can't be recorded now"))
                    .hasSize(1);
        }
    }

    @Test
    void runs_that_can_not_be_recorded_are_one_line_for_all_elections() {
        try (LoggedLines log = new LoggedLines(RunLedger.class.getName())) {
            List<RunLedger> ledgers = ELECTIONS.stream().map(this::of).toList();
            ledgers.forEach(ledger -> ledger.openFailed(FORBIDDEN, 1));
            ledgers.forEach(ledger -> ledger.openFailed(FORBIDDEN, 2));
            ledgers.forEach(RunLedger::written);
            ledgers.forEach(RunLedger::written);
            assertThat(log.with(""))
                    .satisfiesExactly(
                            line -> assertThat(line).contains("of the election 'e0' can't be recorded now"),
                            line -> assertThat(line).isEqualTo("The runs of all jobs are recorded again"));
        }
    }

    @Test
    void runs_that_end_on_many_threads_while_the_store_refuses_at_once_hold_up_nobody() {
        InMemoryLedgerStore store = new InMemoryLedgerStore();
        // A new leadership forgets jobs that have ended long ago by this clock, so it stands still.
        InstantSource soonAfter = InstantSource.fixed(Instant.ofEpochMilli(3_000));
        RunLedger ledger = new RunLedger(store, "e", () -> "own", 10, soonAfter, unrecorded);
        List<CompletableFuture<Void>> threads = IntStream.range(0, 4)
                .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 500; i++) {
                        store.fail(i % 2 == 0);
                        ledger.put(
                                new FencingToken(1 + i / 100),
                                RecordedRun.parse("e", "job" + thread + "@1." + i, "- 1000 2000 DONE - own"));
                        ledger.flush();
                    }
                }))
                .toList();

        assertThat(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(30));
        store.fail(false);
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            ledger.flush();
            return ledger.unwritten().isEmpty();
        });
        for (int thread = 0; thread < 4; thread++) {
            for (int latest = 490; latest < 500; latest++) {
                assertThat(store.entries("e")).containsKey("job" + thread + "@1." + latest);
            }
        }
    }

    @Test
    void no_run_that_ends_while_the_next_leadership_begins_gets_between_two_ledgers() {
        InMemoryLedgerStore store = new InMemoryLedgerStore();
        InstantSource soonAfter = InstantSource.fixed(Instant.ofEpochMilli(3_000));
        RunLedger ledger = new RunLedger(store, "e", () -> "own", 1_000, soonAfter, unrecorded);
        List<CompletableFuture<Void>> threads = IntStream.range(0, 4)
                .mapToObj(thread -> CompletableFuture.runAsync(() -> {
                    for (int i = 0; i < 300; i++) {
                        ledger.put(
                                new FencingToken(1 + i),
                                RecordedRun.parse("e", "job" + thread + "@1." + i, "- 1000 2000 DONE - own"));
                    }
                }))
                .toList();

        assertThat(CompletableFuture.allOf(threads.toArray(CompletableFuture[]::new)))
                .succeedsWithin(Duration.ofSeconds(30));
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> {
            ledger.flush();
            return ledger.unwritten().isEmpty();
        });
        assertThat(store.entries("e")).hasSize(4 * 300);
    }

    @Test
    void of_runs_that_a_newer_leader_finds_lost_the_earlier_one_adds_its_own() {
        InMemoryLedgerStore store = new InMemoryLedgerStore();
        List<FencingToken> opened = new ArrayList<>();
        RunLedger ledger = new RunLedger(
                new ForwardingLedgerStore(store) {
                    @Override
                    public CompletionStage<OpenReply> open(String election, FencingToken token) {
                        opened.add(token);
                        if (opened.size() == 2) {
                            store.open(election, new FencingToken(3));
                        }
                        return super.open(election, token);
                    }
                },
                "e",
                () -> "own",
                10,
                InstantSource.system(),
                unrecorded);
        RecordedRun own = RecordedRun.parse("e", "job@2.1", "- 1000 - RUNNING - own");
        ledger.put(new FencingToken(2), own);
        ledger.flush();
        store.forget();

        ledger.put(new FencingToken(2), own.endedAt(Instant.ofEpochMilli(2_000), JobRun.Outcome.DONE, null));
        ledger.flush();

        assertThat(opened).as("once more after the loss").hasSize(2);
        assertThat(ledger.unwritten()).isEmpty();
        assertThat(store.entries("e")).containsOnlyKeys(own.name());
    }

    private RunLedger of(String election) {
        return new RunLedger(new InMemoryLedgerStore(), election, () -> "own", 10, InstantSource.system(), unrecorded);
    }

    /** A store that passes everything on. */
    private abstract static class ForwardingLedgerStore implements LedgerStore {

        private final LedgerStore store;

        private ForwardingLedgerStore(LedgerStore store) {
            this.store = store;
        }

        @Override
        public CompletionStage<OpenReply> open(String election, FencingToken token) {
            return store.open(election, token);
        }

        @Override
        public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
            return store.write(election, token, change);
        }

        @Override
        public CompletionStage<ReadReply> read(String election) {
            return store.read(election);
        }

        @Override
        public LedgerStore beside(String name) {
            return store.beside(name);
        }
    }
}
