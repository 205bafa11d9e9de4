package dev.election.jobs.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.store.InMemoryLedgerStore;
import dev.election.testing.HandDrivenElections;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;

/** A leadership has one ledger, whoever asks for it at the same time. */
class OneLedgerTest {

    @Test
    void users_that_ask_for_more_at_once_get_the_same_ledger() throws Exception {
        for (int i = 0; i < 3000; i++) {
            HandDrivenElections elections = new HandDrivenElections();
            Set<Ledger> opened = ConcurrentHashMap.newKeySet();
            InMemoryLedgerStore store = new InMemoryLedgerStore();
            try (SharedLedgers ledgers = new SharedLedgers(() -> elections, need -> store, InstantSource.system())) {
                List<Late> users = new ArrayList<>();
                for (int n = 0; n < 2; n++) {
                    users.add(new Late(opened));
                    ledgers.join(users.get(n));
                }
                elections.lead("default");
                CyclicBarrier together = new CyclicBarrier(2);
                // As two beans or schedulers are made at a time while this node leads.
                List<CompletableFuture<Void>> threads = users.stream()
                        .map(user -> CompletableFuture.runAsync(() -> {
                            user.uses = true;
                            await(together);
                            ledgers.usesMore(user);
                        }))
                        .toList();
                threads.forEach(CompletableFuture::join);
            }
            assertThat(opened).as("ledgers of one leadership, attempt %s", i).hasSize(1);
        }
    }

    private static void await(CyclicBarrier barrier) {
        try {
            barrier.await();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class Late implements LedgerUser {
        private final Set<Ledger> opened;
        private volatile boolean uses;

        private Late(Set<Ledger> opened) {
            this.opened = opened;
        }

        @Override
        public Need need() {
            return new Need("a test", "drop it");
        }

        @Override
        public boolean uses(String election) {
            return uses;
        }

        @Override
        public void opened(String election, Ledger ledger) {
            opened.add(ledger);
        }
    }
}
