package dev.election.jobs.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What a ledger calls, over a store that answers at once: a watcher with a lock of its own could not be told under the lock of the ledger. */
class LedgerWatcherTest {

    private static final Set<String> NONE = Set.of();

    private final InMemoryLedgerStore store = new InMemoryLedgerStore();
    private final Witness witness = new Witness();
    private final Ledger ledger = Ledger.ofRuns(store, "e", new FencingToken(2), witness);

    @Test
    void a_watcher_is_told_without_the_lock_of_the_ledger() {
        witness.watched = ledger;
        store.fail(true);
        ledger.open();
        store.fail(false);
        ledger.flush();
        assertThat(witness.calls).as("opened").containsExactly("openFailed", "opened", "written");
        witness.calls.clear();

        ledger.write(Map.of("a", "1"), NONE);
        store.fail(true);
        ledger.write(Map.of("a", "2"), NONE);
        store.fail(false);
        ledger.flush();
        assertThat(witness.calls).as("written").containsExactly("written", "writeFailed", "written");
        witness.calls.clear();

        store.fail(true);
        ledger.reconnected();
        store.fail(false);
        ledger.flush();
        ledger.reconnected();
        store.forget();
        ledger.write(Map.of("a", "3"), NONE);
        assertThat(witness.calls).as("replaced").containsExactly("writeFailed", "written", "written", "written");
        witness.calls.clear();

        store.open("e", new FencingToken(3));
        ledger.writeLater(Map.of("b", "1"), NONE);
        ledger.flush();
        assertThat(witness.calls).as("superseded").containsExactly("outlasts", "written");
        assertThat(store.entries("e")).isEqualTo(Map.of("a", "3", "b", "1"));
    }

    @Test
    void whoever_waits_for_all_answers_is_told_without_the_lock_of_the_ledger() {
        Ledger earlier = ledger;
        earlier.open();
        CompletableFuture<Void> answers = store.holdBackAnswers();
        earlier.write(Map.of("a", "1"), NONE);
        List<Boolean> locked = new ArrayList<>();
        Ledger next = next(earlier, () -> locked.add(Thread.holdsLock(earlier)));
        next.open();
        assertThat(locked).isEmpty();

        answers.complete(null);

        assertThat(locked).containsExactly(false);
    }

    private static Ledger next(Ledger earlier, Runnable opening) {
        InMemoryLedgerStore other = new InMemoryLedgerStore();
        other.fail(true);
        LedgerWatcher watcher = new Witness() {
            @Override
            public void openFailed(LedgerStore.OpenReply reply, int failures) {
                opening.run();
            }
        };
        return new Ledger(
                other,
                new OwnLeadership("e", new FencingToken(3), () -> true),
                new Ledger.Earlier(earlier, true),
                Pace.ofRuns(),
                watcher,
                new StoreTime(System::nanoTime));
    }

    /** Notes what it is told, and fails if that is under the lock of the ledger. */
    private static class Witness implements LedgerWatcher {

        private final List<String> calls = new ArrayList<>();
        private @Nullable Ledger watched;

        private void note(String call) {
            assertThat(Thread.holdsLock(Objects.requireNonNull(watched)))
                    .as("%s under the lock", call)
                    .isFalse();
            calls.add(call);
        }

        @Override
        public void opened(LedgerStore.Opened found) {
            note("opened");
        }

        @Override
        public void openFailed(LedgerStore.OpenReply reply, int failures) {
            note("openFailed");
        }

        @Override
        public void written() {
            note("written");
        }

        @Override
        public void writeFailed(NoAnswer failure, int failures) {
            note("writeFailed");
        }

        @Override
        public boolean outlasts(String name, String value) {
            note("outlasts");
            return true;
        }
    }
}
