package dev.election.store.test;

import dev.election.record.Continuity;
import dev.election.record.RecordStore;
import dev.election.store.LeaseStore;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A store of texts in memory. Answers at once, on the caller's thread, and calls its watchers there too. Versions count from 1 for each key, and
 * again from 1 when a key was deleted, as those of ZooKeeper do.
 */
public final class InMemoryRecordStore implements RecordStore {

    private static final Duration FOR_EVER = Duration.ofDays(36_500);

    private final LongSupplier millis;
    private final boolean hasClock;
    private final Map<String, Stored> texts = new HashMap<>();
    private final Map<String, List<Consumer<Change>>> watchers = new HashMap<>();

    private boolean tellsIncarnation = true;
    private boolean keepsLedgers = true;
    private int incarnation = 1;
    private long startedAt;

    /** The content of a standby that receives no more changes, {@code null} if it is up to date. */
    private @Nullable Map<String, Stored> standby;

    private Runnable beforeNextChange = () -> {};

    private InMemoryRecordStore(LongSupplier millis, boolean hasClock) {
        this.millis = millis;
        this.hasClock = hasClock;
        this.startedAt = millis.getAsLong() - FOR_EVER.toMillis();
    }

    /**
     * Creates a store with a clock.
     *
     * @param millis a clock of milliseconds since 1970
     */
    public static InMemoryRecordStore withClock(LongSupplier millis) {
        return new InMemoryRecordStore(millis, true);
    }

    /** Creates a store without a clock. */
    public static InMemoryRecordStore withoutClock() {
        return withoutClock(System::currentTimeMillis);
    }

    /**
     * Creates a store without a clock.
     *
     * @param millis a clock of milliseconds, by which the store only counts its age
     */
    public static InMemoryRecordStore withoutClock(LongSupplier millis) {
        return new InMemoryRecordStore(millis, false);
    }

    @Override
    public StoreTraits traits() {
        // The nodes are in this process too, and lose whatever the store loses.
        return StoreTraits.ofServer("the store in memory", "store").settlingFor(Duration.ofMillis(50));
    }

    @Override
    public synchronized boolean keepsLedgers() {
        return keepsLedgers;
    }

    @Override
    public CompletionStage<ReadOutcome> read(String key) {
        return CompletableFuture.completedFuture(readNow(key));
    }

    @Override
    public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
        return CompletableFuture.completedFuture(changeNow(key, expected, text));
    }

    @Override
    public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
        return CompletableFuture.completedFuture(changeNow(key, expected, null));
    }

    @Override
    public synchronized CompletionStage<ListOutcome> list(String prefix) {
        return CompletableFuture.completedFuture(new Listed(
                texts.keySet().stream().filter(key -> key.startsWith(prefix)).toList()));
    }

    @Override
    public synchronized CompletionStage<ReadAllOutcome> readAll(String prefix) {
        Map<String, Stored> found = new HashMap<>(texts);
        found.keySet().removeIf(key -> !key.startsWith(prefix));
        return CompletableFuture.completedFuture(new ReadAll(found, origin()));
    }

    @Override
    public synchronized LeaseStore.Subscription watch(String key, Consumer<Change> listener) {
        List<Consumer<Change>> all = watchers.computeIfAbsent(key, name -> new CopyOnWriteArrayList<>());
        all.add(listener);
        return () -> all.remove(listener);
    }

    /** The value of the key. */
    public synchronized @Nullable Stored find(String key) {
        return texts.get(key);
    }

    /** Replaces the text of a key without a condition, as an operator or an old copy does. */
    public void put(String key, @Nullable Stored stored) {
        synchronized (this) {
            if (stored == null) {
                texts.remove(key);
            } else {
                texts.put(key, stored);
            }
        }
        tell(key);
    }

    /**
     * Gives the store another incarnation: it may have lost what it acknowledged.
     *
     * @param age for how long this incarnation has been there
     */
    public synchronized void becomeAnother(Duration age) {
        incarnation++;
        startedAt = millis.getAsLong() - age.toMillis();
    }

    /** Makes the store show ids of its connections only from here on, not its incarnation. */
    public synchronized void hideIncarnation() {
        tellsIncarnation = false;
    }

    /** Makes the store take no ledgers. To be called before it is used. */
    public synchronized void keepNoLedgers() {
        keepsLedgers = false;
    }

    /** Ends the replication to a standby. */
    public synchronized void detachStandby() {
        standby = Map.copyOf(texts);
    }

    /** Puts the standby in the place of the store, with the texts that it has. All connections are new then. */
    public void promoteStandby() {
        synchronized (this) {
            if (standby != null) {
                texts.clear();
                texts.putAll(standby);
                standby = null;
            }
            becomeAnother(Duration.ZERO);
        }
        tell(watchers.keySet(), Change.CONNECTION);
    }

    /** Sets a task that runs between the next request for a change and that change, and so after the read before it. */
    public synchronized void beforeNextChange(Runnable task) {
        beforeNextChange = task;
    }

    private synchronized Read readNow(String key) {
        return new Read(texts.get(key), origin());
    }

    private ReplaceOutcome changeNow(String key, @Nullable Stored expected, @Nullable String text) {
        takeTaskBeforeChange().run();
        ReplaceOutcome outcome = changeUntold(key, expected, text);
        if (outcome instanceof Written) {
            tell(key);
        }
        return outcome;
    }

    private synchronized Runnable takeTaskBeforeChange() {
        Runnable task = beforeNextChange;
        beforeNextChange = () -> {};
        return task;
    }

    private synchronized ReplaceOutcome changeUntold(String key, @Nullable Stored expected, @Nullable String text) {
        Stored current = texts.get(key);
        if (current == null ? expected != null : !current.equals(expected)) {
            return new Conflict(current, origin());
        }
        if (text == null) {
            texts.remove(key);
            return new Written(null, origin());
        }
        long version = current == null ? 1 : Long.parseLong(current.version()) + 1;
        Stored after = new Stored(text, Long.toString(version));
        texts.put(key, after);
        return new Written(after, origin());
    }

    private void tell(String key) {
        tell(Set.of(key), Change.TEXT);
    }

    private void tell(Set<String> keys, Change change) {
        List<Consumer<Change>> told = new ArrayList<>();
        synchronized (this) {
            keys.forEach(key -> told.addAll(watchers.getOrDefault(key, List.of())));
        }
        told.forEach(watcher -> watcher.accept(change));
    }

    private Origin origin() {
        long now = millis.getAsLong();
        String id = Integer.toString(incarnation);
        Continuity continuity = tellsIncarnation
                ? Continuity.ofIncarnation(id, Duration.ofMillis(Math.max(0, now - startedAt)))
                : Continuity.ofConnection(id);
        return new Origin(hasClock ? Instant.ofEpochMilli(now) : null, continuity);
    }
}
