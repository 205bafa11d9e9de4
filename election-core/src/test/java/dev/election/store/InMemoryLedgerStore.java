package dev.election.store;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/** Ledgers that answer at once, unless the test wants them to fail or to wait. */
public final class InMemoryLedgerStore implements LedgerStore {

    private final Map<String, StoredLedger> ledgers = new HashMap<>();
    private final Map<String, InMemoryLedgerStore> beside = new HashMap<>();
    private final List<String> looks = new ArrayList<>();
    private CompletableFuture<Void> gate = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> answers = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> reads = CompletableFuture.completedFuture(null);
    private CompletableFuture<Void> arrivals = CompletableFuture.completedFuture(null);
    private boolean failing;
    private boolean losing;
    private int limit = Integer.MAX_VALUE;
    private Duration intactFor = ALWAYS;
    private InstantSource clock = InstantSource.system();

    /** What is written in the ledger of that election. */
    public synchronized Map<String, String> entries(String election) {
        StoredLedger ledger = ledgers.get(election);
        return ledger == null ? Map.of() : Map.copyOf(ledger.entries);
    }

    /** The election of each change of no entry so far. */
    public synchronized List<String> looks() {
        return List.copyOf(looks);
    }

    /** As a store that has been flushed. */
    public synchronized void forget() {
        ledgers.clear();
        beside.values().forEach(InMemoryLedgerStore::forget);
    }

    /** From here on the ledgers may have lost what was written longer ago, as in a store that is back with an old copy of its data. */
    public synchronized void intactFor(Duration time) {
        intactFor = time;
        ledgers.values().forEach(ledger -> ledger.isOfPresentStore = false);
    }

    /** The ledgers that there are were begun so much earlier. */
    public synchronized void age(Duration time) {
        ledgers.values().forEach(ledger -> ledger.intactSince = ledger.intactSince.minus(time));
    }

    /** The time of the store is that of this clock. */
    public synchronized void clock(InstantSource source) {
        clock = source;
    }

    /** From here on nothing is answered with more than a {@link NoAnswer}, or everything is again. */
    public synchronized void fail(boolean failing) {
        this.failing = failing;
        beside.values().forEach(ledger -> ledger.fail(failing));
    }

    /** From here on what is written is in the ledgers, but answered with a {@link NoAnswer}, or everything is answered again. */
    public synchronized void loseAnswers(boolean losing) {
        this.losing = losing;
    }

    /** From here on a ledger takes no more entries than that. */
    public synchronized void limit(int entries) {
        limit = entries;
    }

    /** Whoever opens a ledger from here on waits until this is completed. */
    public synchronized CompletableFuture<Void> holdBack() {
        gate = new CompletableFuture<>();
        return gate;
    }

    /** What is written from here on is in the ledgers at once, but answered when this is completed. */
    public synchronized CompletableFuture<Void> holdBackAnswers() {
        answers = new CompletableFuture<>();
        return answers;
    }

    /** What is read from here on is what the ledgers have then, but answered when this is completed. */
    public synchronized CompletableFuture<Void> holdBackReads() {
        reads = new CompletableFuture<>();
        return reads;
    }

    /** What is written from here on arrives when this is completed, as in a store that stands still. */
    public synchronized CompletableFuture<Void> holdBackWrites() {
        arrivals = new CompletableFuture<>();
        return arrivals;
    }

    /** What is written from here on arrives and is answered at once again, whatever is still on its way. */
    public synchronized void answerAtOnce() {
        answers = CompletableFuture.completedFuture(null);
        arrivals = CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized CompletionStage<OpenReply> open(String election, FencingToken token) {
        return gate.thenApply(through -> openNow(election, token));
    }

    @Override
    public synchronized CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
        if (change.changesNothing()) {
            looks.add(election);
        }
        return changed(election, token, change);
    }

    private CompletionStage<WriteReply> changed(String election, FencingToken token, Change change) {
        CompletableFuture<Void> answered = answers;
        return arrivals.thenApply(arrived -> writeNow(election, token, change))
                .thenCompose(reply -> answered.thenApply(now -> reply));
    }

    @Override
    public synchronized CompletionStage<WriteReply> restore(
            String election, FencingToken token, Change change, Instant intactSince) {
        return changed(election, token, change).thenApply(reply -> {
            restored(election, token, reply, intactSince);
            return reply;
        });
    }

    private synchronized void restored(String election, FencingToken token, WriteReply reply, Instant intactSince) {
        StoredLedger ledger = ledgers.get(election);
        if (reply instanceof Written && ledger != null && ledger.isOfPresentStore && ledger.token.equals(token)) {
            ledger.intactSince = intactSince;
            intactFor = Duration.between(intactSince, clock.instant());
        }
    }

    @Override
    public synchronized CompletionStage<ReadReply> read(String election) {
        ReadReply reply = failing
                ? new NoAnswer(StoreProblem.UNREACHABLE, "as the test wants it")
                : new Contents(entries(election));
        return reads.thenApply(answered -> reply);
    }

    @Override
    public synchronized InMemoryLedgerStore beside(String name) {
        return beside.computeIfAbsent(name, absent -> new InMemoryLedgerStore());
    }

    private synchronized OpenReply openNow(String election, FencingToken token) {
        if (failing) {
            return new NoAnswer(StoreProblem.UNREACHABLE, "as the test wants it");
        }
        StoredLedger before = ledgers.get(election);
        if (before != null && before.token.isNewerThan(token)) {
            return new Superseded();
        }
        StoredLedger ledger = before == null ? new StoredLedger(clock.instant()) : before;
        ledger.token = token;
        ledger.isOfPresentStore = true;
        ledgers.put(election, ledger);
        return new Opened(Map.copyOf(ledger.entries), before != null, intactFor(before), clock.instant());
    }

    private Duration intactFor(@Nullable StoredLedger before) {
        if (before == null) {
            // A store that never loses anything would know a ledger that was used.
            return intactFor.equals(ALWAYS) ? Duration.ofDays(365) : intactFor;
        }
        Duration sinceBegun = Duration.between(before.intactSince, clock.instant());
        return sinceBegun.compareTo(intactFor) < 0 ? sinceBegun : intactFor;
    }

    private synchronized WriteReply writeNow(String election, FencingToken token, Change change) {
        if (failing) {
            return new NoAnswer(StoreProblem.UNREACHABLE, "as the test wants it");
        }
        StoredLedger ledger = ledgers.get(election);
        if (ledger == null || (token.isNewerThan(ledger.token) && !token.equals(NEWEST))) {
            return new Forgotten();
        }
        if (ledger.token.isNewerThan(token)) {
            return new Superseded();
        }
        Instant now = clock.instant();
        if (change.until() != null && now.isAfter(change.until())) {
            return new TooLate(now);
        }
        Set<String> names = new HashSet<>(ledger.entries.keySet());
        names.removeAll(change.removed());
        names.addAll(change.put().keySet());
        if (names.size() > limit) {
            return new NoAnswer(StoreProblem.TOO_LARGE, "as the test wants it");
        }
        ledger.entries.keySet().removeAll(change.removed());
        ledger.entries.putAll(change.put());
        change.stamped().forEach(name -> ledger.entries.put(name, Long.toString(now.toEpochMilli())));
        return losing ? new NoAnswer(StoreProblem.TIMED_OUT, "as the test wants it") : new Written(now);
    }

    private static final class StoredLedger {
        private final Map<String, String> entries = new LinkedHashMap<>();
        private FencingToken token = new FencingToken(1);
        private boolean isOfPresentStore = true;
        private Instant intactSince;

        private StoredLedger(Instant begun) {
            intactSince = begun;
        }
    }
}
