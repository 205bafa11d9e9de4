package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.store.Incarnation;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.RecordStore;
import dev.election.store.RecordStore.Change;
import dev.election.store.RecordStore.Conflict;
import dev.election.store.RecordStore.Listed;
import dev.election.store.RecordStore.Origin;
import dev.election.store.RecordStore.Read;
import dev.election.store.RecordStore.ReplaceOutcome;
import dev.election.store.RecordStore.Stored;
import dev.election.store.RecordStore.Written;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;

/** What every {@link RecordStore} owes. A store's own test extends this and says how to make it. */
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
public abstract class RecordStoreContract {

    private String key = "";

    /** A name of its own for each test, so that tests can share a server. */
    @BeforeEach
    void nameTheKey() {
        key = "contract-" + UUID.randomUUID() + "/";
    }

    protected abstract RecordStore store();

    /**
     * What takes the place of the store with less than the store has acknowledged: a standby to which it replicates asynchronously, or the
     * same server with an earlier backup. Empty only if that never happens: then the store answers {@link Incarnation#UNKNOWN}.
     */
    protected abstract Optional<Standby> standby();

    /** A standby that lags, or a backup. */
    public interface Standby {

        /** From here on it gets nothing of what is written. It has all of what was written before. */
        void detach();

        /** It takes the place of the store, and the store under test reaches it then or soon. */
        void promote();
    }

    @Test
    void a_key_that_was_never_written_holds_nothing() {
        assertThat(read()).isNull();
    }

    @Test
    void a_text_is_read_as_it_was_written() {
        String text = "a=1\nb=\u00e4\u20ac\ud83d\ude00 \\ \"'\n\n";
        Stored written = written(replace(null, text));
        assertThat(written.text()).isEqualTo(text);
        assertThat(read()).isEqualTo(written);
    }

    @Test
    void what_was_read_is_replaced() {
        Stored first = written(replace(null, "first"));
        Stored second = written(replace(first, "second"));
        assertThat(second).isNotEqualTo(first);
        assertThat(read()).isEqualTo(second);
    }

    @Test
    void nothing_is_made_where_there_is_something() {
        Stored there = written(replace(null, "there"));
        assertThat(conflict(replace(null, "another"))).isEqualTo(there);
        assertThat(read()).isEqualTo(there);
    }

    @Test
    void what_has_changed_since_it_was_read_is_not_replaced() {
        Stored first = written(replace(null, "first"));
        Stored second = written(replace(first, "second"));
        assertThat(conflict(replace(first, "third"))).isEqualTo(second);
        assertThat(read()).isEqualTo(second);
    }

    @Test
    void what_was_deleted_is_not_replaced() {
        Stored first = written(replace(null, "first"));
        assertThat(delete(first)).isInstanceOf(Written.class);
        assertThat(conflict(replace(first, "second"))).isNull();
        assertThat(read()).isNull();
    }

    @Test
    void what_was_deleted_and_made_again_up_to_the_same_version_is_not_what_was_read() {
        Stored first = written(replace(null, "first"));
        Stored second = written(replace(first, "second"));
        delete(second);
        Stored again = written(replace(written(replace(null, "other")), "another"));
        assertThat(conflict(replace(second, "third"))).isEqualTo(again);
        assertThat(conflict(delete(second))).isEqualTo(again);
    }

    @Test
    void what_has_changed_since_it_was_read_is_not_deleted() {
        Stored first = written(replace(null, "first"));
        Stored second = written(replace(first, "second"));
        assertThat(conflict(delete(first))).isEqualTo(second);
        assertThat(read()).isEqualTo(second);
    }

    @Test
    void keys_are_listed_by_their_beginning() {
        ask(store().replace(key + "a", null, "1"));
        ask(store().replace(key + "b", null, "2"));
        assertThat(((Listed) ask(store().list(key))).keys()).containsExactlyInAnyOrder(key + "a", key + "b");
        assertThat(((Listed) ask(store().list(key + "b"))).keys()).containsExactly(key + "b");
        assertThat(((Listed) ask(store().list(key + "c"))).keys()).isEmpty();
    }

    @Test
    void of_many_who_replace_the_same_text_one_gets_through() throws InterruptedException {
        int threads = 4;
        int rounds = 50;
        written(replace(null, "0"));
        List<Thread> all = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(() -> {
                for (int done = 0; done < rounds; ) {
                    Stored before = Objects.requireNonNull(read());
                    String next = Integer.toString(Integer.parseInt(before.text()) + 1);
                    done += replace(before, next) instanceof Written ? 1 : 0;
                }
            });
            all.add(thread);
            thread.start();
        }
        for (Thread thread : all) {
            thread.join();
        }
        assertThat(read()).extracting(Stored::text).isEqualTo(Integer.toString(threads * rounds));
    }

    @Test
    void a_watcher_hears_that_its_key_has_changed_until_it_leaves() throws InterruptedException {
        BlockingQueue<Change> heard = new LinkedBlockingQueue<>();
        LeaseStore.Subscription subscription = store().watch(key, heard::add);
        Stored first = written(replace(null, "first"));
        awaitChange(heard);
        subscription.close();
        heard.clear();
        replace(first, "second");
        BlockingQueue<Change> later = new LinkedBlockingQueue<>();
        try (LeaseStore.Subscription another = store().watch(key, later::add)) {
            Stored now = Objects.requireNonNull(read());
            replace(now, "third");
            awaitChange(later);
        }
        assertThat(heard).doesNotContain(Change.TEXT);
    }

    @Test
    void a_store_that_nothing_befalls_remains_the_same_and_its_clock_goes_on() {
        Read first = (Read) ask(store().read(key));
        Read second = (Read) ask(store().read(key));
        assertThat(second.origin().incarnation().id())
                .isEqualTo(first.origin().incarnation().id());
        if (first.origin().clock() != null) {
            assertThat(second.origin().clock()).isAfterOrEqualTo(first.origin().clock());
        } else {
            assertThat(second.origin().clock()).isNull();
        }
    }

    @Test
    void a_store_that_may_lose_what_it_acknowledged_shows_it() {
        Read read = (Read) ask(store().read(key));
        if (standby().isEmpty()) {
            assertThat(read.origin().incarnation())
                    .as("without a standby in its test the store has to promise that it never loses what it"
                            + " acknowledged")
                    .isEqualTo(Incarnation.UNKNOWN);
        }
    }

    @Test
    void a_change_that_rests_on_what_was_read_before_a_standby_was_promoted_does_not_count() {
        standby().ifPresent(standby -> {
            Stored kept = written(replace(null, "kept"));
            standby.detach();
            long sent = System.nanoTime();
            Read before = (Read) ask(store().read(key));
            written(replace(kept, "lost"));
            standby.promote();
            Origin writer = writer(answered(() -> store().replace(key, before.stored(), "late")));
            assertThat(writer.continues(before.origin(), since(sent)))
                    .as("the change that %s made is based on a read from %s", writer, before.origin())
                    .isFalse();
            assertThat(read())
                    .as("what the standby has")
                    .extracting(Stored::text)
                    .isEqualTo("late");
        });
    }

    @Test
    void a_connection_to_a_standby_counts_from_its_promotion() {
        standby().ifPresent(standby -> {
            Incarnation before = ((Read) ask(store().read(key))).origin().incarnation();
            standby.detach();
            long promotedAfter = System.nanoTime();
            standby.promote();
            Incarnation after =
                    ((Read) answered(() -> store().read(key))).origin().incarnation();
            assertThat(after.id() == null || !after.id().equals(before.id()))
                    .as("another incarnation than %s: %s", before, after)
                    .isTrue();
            if (after.id() == null) {
                assertThat(after.unchangedFor()).isLessThanOrEqualTo(since(promotedAfter));
            }
        });
    }

    private static Duration since(long nanos) {
        return Duration.ofNanos(System.nanoTime() - nanos);
    }

    private static Origin writer(ReplaceOutcome outcome) {
        return outcome instanceof Written written ? written.origin() : ((Conflict) outcome).origin();
    }

    /** Asks until there is an answer: the connection to the store that was replaced may have to break first. */
    private static <T> T answered(Supplier<CompletionStage<T>> request) {
        long began = System.nanoTime();
        T outcome;
        do {
            outcome = ask(request.get());
        } while (outcome instanceof NoAnswer && since(began).compareTo(Duration.ofSeconds(30)) < 0);
        assertThat(outcome).isNotInstanceOf(NoAnswer.class);
        return outcome;
    }

    private static void awaitChange(BlockingQueue<Change> heard) throws InterruptedException {
        Change change;
        do {
            change = heard.poll(10, TimeUnit.SECONDS);
            assertThat(change).as("news within 10 s").isNotNull();
        } while (change != Change.TEXT);
    }

    private @Nullable Stored read() {
        return ((Read) ask(store().read(key))).stored();
    }

    private ReplaceOutcome replace(@Nullable Stored expected, String text) {
        return ask(store().replace(key, expected, text));
    }

    private ReplaceOutcome delete(Stored expected) {
        return ask(store().delete(key, expected));
    }

    private static Stored written(ReplaceOutcome outcome) {
        assertThat(outcome).isInstanceOf(Written.class);
        return Objects.requireNonNull(((Written) outcome).stored());
    }

    private static @Nullable Stored conflict(ReplaceOutcome outcome) {
        assertThat(outcome).isInstanceOf(Conflict.class);
        return ((Conflict) outcome).current();
    }

    private static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().orTimeout(30, TimeUnit.SECONDS).join();
    }
}
