package dev.election.jobs.history;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.support.SharedProblem;
import dev.election.testing.LoggedLines;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Runs of an earlier leadership, which are added to the ledger of a newer leader. */
class AmendedRunsTest {

    @Test
    void runs_that_do_not_fit_into_the_ledger_of_a_newer_leader_do_not_shrink_the_own_history() {
        RunLedger ledger = new RunLedger(new Full(), "e", () -> "own", 10, InstantSource.system(), new SharedProblem());
        try (LoggedLines log = new LoggedLines("dev.election.jobs")) {
            ledger.put(new FencingToken(2), RecordedRun.parse("e", "job@2.1", "- 1000 - RUNNING - own"));
            for (int i = 0; i < 5; i++) {
                ledger.flush();
            }
            assertThat(log.with("are kept from here on")).isEmpty();
            assertThat(ledger.unwritten()).hasSize(1);
        }
        ledger.close();
    }

    /** A newer leader has opened the ledger, and it has no room for more. */
    private static final class Full implements LedgerStore {
        private final InMemoryLedgerStore newer = new InMemoryLedgerStore();

        private Full() {
            newer.open("e", new FencingToken(3)).toCompletableFuture().join();
        }

        @Override
        public CompletionStage<OpenReply> open(String election, FencingToken token) {
            return newer.open(election, token);
        }

        @Override
        public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
            return newer.write(election, token, change);
        }

        @Override
        public CompletionStage<WriteReply> amend(String election, Map<String, String> put) {
            return CompletableFuture.completedFuture(new NoAnswer(StoreProblem.TOO_LARGE, "full"));
        }

        @Override
        public CompletionStage<ReadReply> read(String election) {
            return newer.read(election);
        }

        @Override
        public LedgerStore beside(String name) {
            return this;
        }
    }
}
