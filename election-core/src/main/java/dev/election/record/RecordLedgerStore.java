package dev.election.record;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.record.ObservedStore.Observation;
import dev.election.record.SharedText.Step;
import dev.election.store.Incarnation;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReadReply;
import dev.election.support.OneLine;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Ledgers in a {@link RecordStore}, a key an election: in the first lines the token, the incarnation of the store and since when it has lost
 * nothing, then each entry's name and value on a line each. A ledger is written whole with each change, so it must not grow for ever: a change
 * that makes one larger than 200 kB is refused.
 */
public final class RecordLedgerStore implements LedgerStore {

    /** The time for which a store that can't tell is assumed to have lost nothing. */
    private static final Duration UNTOLD = Duration.ofDays(365);

    private static final int LARGEST_KB = 200;

    /** The number of entries of a refused change that its message names. */
    private static final int NAMED = 3;

    private final RecordStore store;
    private final String prefix;
    private final String suffix;
    private final ObservedStore observed;

    /** The latest request for each ledger. */
    private final Map<String, CompletableFuture<?>> last = new ConcurrentHashMap<>();

    /**
     * Creates the ledgers of one process. Sends no request yet.
     *
     * @param store the store that holds them
     * @param prefix the beginning of all keys; not that of the leases
     */
    public RecordLedgerStore(RecordStore store, String prefix) {
        this(store, prefix, new ObservedStore(System::nanoTime));
    }

    RecordLedgerStore(RecordStore store, String prefix, ObservedStore observed) {
        this(store, prefix, "", observed);
    }

    private RecordLedgerStore(RecordStore store, String prefix, String suffix, ObservedStore observed) {
        this.store = store;
        this.prefix = prefix;
        this.suffix = suffix;
        this.observed = observed;
    }

    @Override
    public CompletionStage<OpenReply> open(String election, FencingToken token) {
        return this.<OpenReply>change(election, (ledger, clock, seen) -> {
                    Incarnation incarnation = seen.incarnation();
                    if (ledger != null && ledger.token.isNewerThan(token)) {
                        return new Step.Answer<>(new Superseded());
                    }
                    Instant now = timeOf(clock);
                    StoredLedger own = ledger == null
                            ? StoredLedger.begun(token, incarnation, now)
                            : ledger.openedBy(token, seen, now);
                    Duration intactFor = ledger == null ? intactFor(incarnation) : Duration.between(own.since, now);
                    OpenReply opened = new Opened(own.entries, ledger != null, intactFor, now);
                    return new Step.Write<>(own.text(), () -> opened);
                })
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
        return write(election, token, change, null);
    }

    @Override
    public CompletionStage<WriteReply> restore(
            String election, FencingToken token, Change change, Instant intactSince) {
        return write(election, token, change, intactSince);
    }

    private CompletionStage<WriteReply> write(
            String election, FencingToken token, Change change, @Nullable Instant intactSince) {
        return this.<WriteReply>change(election, (ledger, clock, seen) -> {
                    Incarnation incarnation = seen.incarnation();
                    if (ledger == null || (token.isNewerThan(ledger.token) && !token.equals(NEWEST))) {
                        return new Step.Answer<>(new Forgotten());
                    }
                    if (ledger.token.isNewerThan(token)) {
                        return new Step.Answer<>(new Superseded());
                    }
                    Instant now = timeOf(clock);
                    if (change.until() != null && now.isAfter(change.until())) {
                        return new Step.Answer<>(new TooLate(now));
                    }
                    if (change.changesNothing() && intactSince == null) {
                        return new Step.Answer<>(new Written(now));
                    }
                    Map<String, String> entries = new TreeMap<>(ledger.entries);
                    entries.keySet().removeAll(change.removed());
                    entries.putAll(change.put());
                    change.stamped().forEach(name -> entries.put(name, Long.toString(now.toEpochMilli())));
                    StoredLedger changed = intactSince != null && ledger.token.equals(token) && ledger.isOf(incarnation)
                            ? ledger.intactSince(intactSince)
                            : ledger;
                    String text = changed.with(entries).text();
                    return isTooLarge(text, ledger)
                            ? new Step.Answer<>(tooLarge(election, text, change))
                            : new Step.Write<>(text, () -> new Written(now));
                })
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public CompletionStage<ReadReply> read(String election) {
        return this.<ReadReply>change(
                        election,
                        (ledger, clock, seen) ->
                                new Step.Answer<>(new Contents(ledger == null ? Map.of() : ledger.entries)))
                .exceptionally(NoAnswerException::reply);
    }

    /** Returns ledgers under keys with a slash before the name, since the name of an election has none. */
    @Override
    public LedgerStore beside(String name) {
        return new RecordLedgerStore(store, prefix, suffix + "/" + name, observed);
    }

    @Override
    public LeaseStore.Subscription listen(String election, Runnable reconnected) {
        return store.watch(key(election), change -> {
            if (change == RecordStore.Change.CONNECTION) {
                reconnected.run();
            }
        });
    }

    /** Sends the requests of an election one after the other, in the order in which they were made. */
    private <R> CompletionStage<R> inTurn(String election, Supplier<CompletionStage<R>> request) {
        CompletableFuture<R> mine = new CompletableFuture<>();
        CompletableFuture<?> before = last.put(election, mine);
        CompletableFuture<?> turn = before == null ? CompletableFuture.completedFuture(null) : before;
        CompletionStage<Void> unused = turn.handle((done, failed) -> request.get())
                .thenCompose(reply -> reply)
                .handle((reply, failure) -> {
                    if (failure == null) {
                        mine.complete(reply);
                    } else {
                        mine.completeExceptionally(failure);
                    }
                    return null;
                });
        return mine;
    }

    private <R> CompletionStage<R> change(String election, SharedText.Rule<StoredLedger, R> rule) {
        SharedText<StoredLedger> text = new SharedText<>(store, key(election), StoredLedger::read, observed);
        return inTurn(election, () -> text.change(rule));
    }

    /** Whether a text is too large to be written. A ledger that is too large already may become smaller. */
    private static boolean isTooLarge(String text, StoredLedger before) {
        return sizeOf(text) > LARGEST_KB * 1000 && sizeOf(text) > sizeOf(before.text());
    }

    private NoAnswer tooLarge(String election, String text, Change change) {
        Set<String> names = new TreeSet<>(change.put().keySet());
        names.addAll(change.stamped());
        String entries = names.stream().limit(NAMED).collect(Collectors.joining(", "));
        int more = names.size() - NAMED;
        return new NoAnswer(
                StoreProblem.TOO_LARGE,
                "the ledger " + key(election) + " would have " + (sizeOf(text) + 999) / 1000 + " kB with " + entries
                        + (more > 0 ? " and " + more + " more entries" : "") + ", and " + LARGEST_KB
                        + " kB are the most that is written");
    }

    private static int sizeOf(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** The time for which a store without a ledger has lost nothing. */
    private static Duration intactFor(Incarnation incarnation) {
        Duration unchanged = incarnation.unchangedFor();
        return unchanged.equals(Incarnation.UNKNOWN.unchangedFor()) ? UNTOLD : unchanged;
    }

    /** The time of the store, or of the node, whose clock names slots, if the store has no clock. */
    private static Instant timeOf(@Nullable Instant clock) {
        return Objects.requireNonNullElseGet(clock, Instant::now);
    }

    private String key(String election) {
        return prefix + election + suffix;
    }

    /**
     * A ledger as its text describes it.
     *
     * @param token the token of the leader that opened it last
     * @param store the incarnation of the store, empty if it did not tell
     * @param since from when on it has lost nothing
     */
    private record StoredLedger(FencingToken token, String store, Instant since, Map<String, String> entries) {

        private static final String TOKEN = "token=";
        private static final String STORE = "store=";
        private static final String SINCE = "since=";

        static StoredLedger begun(FencingToken token, Incarnation incarnation, Instant now) {
            return new StoredLedger(token, nameOf(incarnation), now, Map.of());
        }

        /**
         * Returns this ledger as opened by a leader. A store may have lost something before its present incarnation, or before this process
         * has seen its connection first, unless the incarnation goes on with the log of the one in which the ledger was opened.
         */
        StoredLedger openedBy(FencingToken leader, Observation seen, Instant now) {
            Incarnation incarnation = seen.incarnation();
            String present = nameOf(incarnation);
            boolean isOf = isOf(incarnation) && !present.isEmpty();
            if ((isOf || seen.former().contains(store)) && !incarnation.hasReturned()) {
                return new StoredLedger(leader, present, since, entries);
            }
            Duration unchanged = incarnation.unchangedFor();
            Instant lossless = unchanged.equals(Incarnation.UNKNOWN.unchangedFor())
                    ? since
                    : now.minus(unchanged).plus(AFTER_A_LOSS);
            // What another process has found in this incarnation counts, too.
            Instant latest = isOf(incarnation) && since.isAfter(lossless) ? since : lossless;
            return new StoredLedger(leader, present, latest, entries);
        }

        /** Whether the ledger was opened in that incarnation of the store, as far as the store can tell. */
        boolean isOf(Incarnation incarnation) {
            return store.equals(nameOf(incarnation));
        }

        StoredLedger intactSince(Instant time) {
            return new StoredLedger(token, store, time, entries);
        }

        StoredLedger with(Map<String, String> changed) {
            return new StoredLedger(token, store, since, changed);
        }

        static StoredLedger read(String text) {
            String[] lines = text.split("\n", -1);
            if (lines.length < 3
                    || !lines[0].startsWith(TOKEN)
                    || !lines[1].startsWith(STORE)
                    || !lines[2].startsWith(SINCE)) {
                throw new IllegalArgumentException("Not a ledger: it begins with " + lines[0]);
            }
            Map<String, String> entries = new TreeMap<>();
            for (int i = 3; i + 1 < lines.length; i += 2) {
                entries.put(OneLine.unescaped(lines[i]), OneLine.unescaped(lines[i + 1]));
            }
            return new StoredLedger(
                    new FencingToken(Long.parseLong(lines[0].substring(TOKEN.length()))),
                    OneLine.unescaped(lines[1].substring(STORE.length())),
                    Instant.ofEpochMilli(Long.parseLong(lines[2].substring(SINCE.length()))),
                    entries);
        }

        String text() {
            StringBuilder text = new StringBuilder(TOKEN).append(token).append('\n');
            text.append(STORE).append(OneLine.escaped(store)).append('\n');
            text.append(SINCE).append(since.toEpochMilli()).append('\n');
            entries.forEach((name, value) -> text.append(OneLine.escaped(name))
                    .append('\n')
                    .append(OneLine.escaped(value))
                    .append('\n'));
            return text.toString();
        }

        private static String nameOf(Incarnation incarnation) {
            String id = incarnation.id();
            return id == null ? "" : id;
        }
    }
}
