package dev.election.jobs.ledger;

import dev.election.FencingToken;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The ledger of one election during one leadership: entries that are kept in memory and written to the ledger store. For claims of slots and
 * for runs, whose texts the store keeps apart. What the store did not take or has lost is written again from memory, also when this node
 * leads no more. A failed write of claims matters only if another node leads before it succeeds: that node may run a slot again.
 */
public final class Ledger {

    /** The largest difference between the clocks of two nodes. Slots are remembered for so much longer than they can be missed. */
    private static final Duration CLOCKS_APART = Duration.ofHours(1);

    private static final Logger log = LoggerFactory.getLogger(Ledger.class);

    /** Limit for the way of a claim to the store, which does not carry out a later one: its leader may be dead by then. */
    private static final Duration LONGEST_CLAIM = Duration.ofSeconds(1);

    /** How often a leader looks whether the store still has its ledger, whose loss it would otherwise notice only at the next slot. */
    private static final Duration LOOK_EVERY = Duration.ofMinutes(1);

    /** Longer than any request to a store may take. */
    private static final Duration LONGEST_ANSWER = Duration.ofSeconds(30);

    private final LedgerStore ledger;
    private final String election;
    private final FencingToken token;
    private final BooleanSupplier isLeading;
    private final Pace pace;
    private final boolean alone;

    /** Whether this is the first leadership that this node knows of. */
    private final boolean first;

    private final LedgerWatcher watcher;
    private final StoreTime time;
    private final Backoff opening = new Backoff();
    private final Backoff writing;
    private final Map<String, SchedulerLedger> schedulers = new ConcurrentHashMap<>();
    private volatile Evidence evidence = new Evidence(false, Long.MIN_VALUE, Long.MIN_VALUE);

    /** Entries by name, changed before the store is asked to write them. */
    private final Map<String, String> entries = new ConcurrentHashMap<>();

    /** The names of entries that the store may not have as they are. Guarded by this. */
    private final Set<String> unwritten = new HashSet<>();

    /** The entries of {@link #writeLater} that the store is not known to have. Guarded by this. */
    private final Map<String, String> unconfirmed = new HashMap<>();

    /** Futures that are completed when the store has answered to everything, or is asked no more. Guarded by this. */
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();

    /** The latest entries that this node opened before these, until these are open. */
    private volatile @Nullable Ledger earlier;

    private boolean opened;

    private boolean retrying;

    /** Whether the store has refused what is tried again, and will refuse until somebody acts on it. */
    private boolean refused;

    /** Whether the ledger in the store may be an old one, and must be replaced before anything else is written. */
    private boolean outdated;

    /** Whether the ledger was opened to be replaced, and it is not known that this was done. */
    private boolean replacing;

    /** The time from which on these are all entries that were written, by the clock of the store; {@code null} before they are open. */
    private @Nullable Instant intactSince;

    /** Whether a newer leader has opened the ledger. */
    private boolean superseded;

    /** Whether to write what is added meanwhile without a pause. */
    private boolean urgent;

    private int unanswered;
    private boolean closed;
    private @Nullable Long lostAt;

    /**
     * @param ledger where to write
     * @param leadership of the leader that writes
     * @param earlier what this node knows of earlier leaderships
     * @param pace when to write what may be written later
     * @param watcher is told of failures
     * @param time of the store
     */
    Ledger(
            LedgerStore ledger,
            OwnLeadership leadership,
            Earlier earlier,
            Pace pace,
            LedgerWatcher watcher,
            StoreTime time) {
        this.ledger = ledger;
        this.election = leadership.election();
        this.token = leadership.token();
        this.isLeading = leadership.isLeading();
        this.pace = pace;
        this.writing = new Backoff(pace.firstPause().toMillis());
        this.earlier = earlier.entries;
        this.alone = earlier.alone;
        this.first = alone && earlier.entries == null;
        this.watcher = watcher;
        this.time = time;
    }

    /** The token of the leadership. */
    public FencingToken token() {
        return token;
    }

    /**
     * The part of one scheduler.
     *
     * @param scheduler its name, the same on every node; no other name may begin with it and a slash
     * @param recoverWithin how long one of its slots is worth being run late, the same at each call
     */
    public SchedulerLedger of(String scheduler, Duration recoverWithin) {
        // Asked at every firing, and the answer is there at all but the first.
        SchedulerLedger known = schedulers.get(scheduler);
        return known != null
                ? known
                : schedulers.computeIfAbsent(
                        scheduler,
                        name -> new SchedulerLedger(
                                name, this, recoverWithin.plus(CLOCKS_APART).toMillis(), evidence));
    }

    /** Sets what is certain of what is not recorded, before the ledger is used. */
    void evidence(Evidence known) {
        evidence = known;
    }

    /**
     * The ledger of the runs of one leadership. Its entries outlast the leadership: if a newer leader has opened the ledger, those that
     * the watcher names are added to its ledger.
     */
    public static Ledger ofRuns(LedgerStore ledger, String election, FencingToken token, LedgerWatcher watcher) {
        return new Ledger(
                ledger,
                new OwnLeadership(election, token, () -> true),
                new Earlier(null, false),
                Pace.ofRuns(),
                watcher,
                new StoreTime(System::nanoTime));
    }

    /** Returns this ledger if it was ever open, otherwise the earlier one that was, whose writes may not have been answered yet. */
    synchronized @Nullable Ledger latestOpened() {
        return opened ? this : earlier;
    }

    /**
     * Opens the ledger: asks the store until it answers or this node leads no more; completes with the answer, or never. Waits first for
     * the answers to what this node wrote when it led before, since the store refuses that afterwards.
     */
    public CompletionStage<LedgerStore.Opened> open() {
        CompletableFuture<LedgerStore.Opened> result = new CompletableFuture<>();
        Ledger before = earlier;
        if (before == null) {
            open(result);
        } else {
            before.answered().thenRun(() -> open(result));
            // Somebody waits for it now.
            before.writing.now();
        }
        return result;
    }

    /**
     * Sends again at once, since the store can be reached again. It may have been restored from a copy that lacks the latest entries and
     * still has removed ones, so a leader replaces all that is there by what it knows.
     */
    void reconnected() {
        opening.now();
        if (areOpen()) {
            CompletionStage<Boolean> unused = replace(Request.of(Set.of())).get();
        } else {
            writing.now();
        }
    }

    /** Stops writing entries that the store did not take. */
    public synchronized void close() {
        closed = true;
    }

    /** Whether their leader writes in the ledger, as far as this node knows. */
    synchronized boolean areOpen() {
        return opened && isWanted();
    }

    private synchronized boolean isWanted() {
        return !closed && isLeading.getAsBoolean();
    }

    /** Whether a newer leader has opened the ledger, to which entries of this one are only added. */
    public synchronized boolean isSuperseded() {
        return superseded;
    }

    /** Looks once a minute whether the store still has the ledger, as long as its leader writes in it. */
    void watchForLoss() {
        LedgerThreads.after(LOOK_EVERY).execute(() -> {
            if (areOpen()) {
                watchForLoss();
                look();
            }
        });
    }

    /** Asks the store by a change of no entry whether it still has the ledger, unless there is nothing that it could have lost. */
    void look() {
        if (areOpen() && !entries.isEmpty()) {
            CompletionStage<Boolean> unused = send(Request.of(Set.of()), null).get();
        }
    }

    /** Whether this is the first leadership that this node knows of, its own and others'. */
    boolean isFirst() {
        return first;
    }

    /** The entries of earlier leaders and this one whose names begin so, by the rest of the name. */
    Map<String, String> below(String beginning) {
        Map<String, String> found = new HashMap<>();
        entries.forEach((name, value) -> {
            if (name.startsWith(beginning)) {
                found.put(name.substring(beginning.length()), value);
            }
        });
        return found;
    }

    @Nullable
    String get(String name) {
        return entries.get(name);
    }

    /** The clock of the store. */
    StoreTime time() {
        return time;
    }

    /** Writes changes. Completes, never by failing, when the store has answered or won't, with whether it has them now. */
    CompletionStage<Boolean> write(Map<String, String> put, Collection<String> removed) {
        return write(put, removed, Set.of());
    }

    /**
     * Writes changes, and entries that the store may lack. Completes like {@link #write(Map, Collection)}.
     *
     * @param along the names of entries that are written as they are, since the store may not have them yet
     */
    CompletionStage<Boolean> write(Map<String, String> put, Collection<String> removed, Set<String> along) {
        return change(put, removed, along, Set.of(), null);
    }

    /**
     * Writes changes without which a job must not begin: the store makes them soon, or never. Completes like
     * {@link #write(Map, Collection)}.
     */
    CompletionStage<Boolean> claim(Map<String, String> put, Collection<String> removed, Set<String> along) {
        return change(put, removed, along, Set.of(), time.in(LONGEST_CLAIM));
    }

    /** Writes an entry whose value is the time at which the store writes it. Completes like {@link #write(Map, Collection)}. */
    CompletionStage<Boolean> stamp(String name, Duration within) {
        Duration shorter = within.compareTo(LONGEST_CLAIM) < 0 ? within : LONGEST_CLAIM;
        return change(Map.of(name, Long.toString(time.now())), Set.of(), Set.of(), Set.of(name), time.in(shorter));
    }

    private CompletionStage<Boolean> change(
            Map<String, String> put,
            Collection<String> removed,
            Set<String> along,
            Set<String> stamped,
            StoreTime.@Nullable Limit limit) {
        Set<String> names = new HashSet<>(along);
        names.addAll(put.keySet());
        names.addAll(removed);
        Supplier<CompletionStage<Boolean>> sent;
        synchronized (this) {
            entries.putAll(put);
            removed.forEach(entries::remove);
            sent = send(new Request(names, stamped, limit), null);
        }
        return sent.get();
    }

    /** Writes changes soon, together with others. Returns at once. */
    public synchronized void writeLater(Map<String, String> put, Collection<String> removed) {
        entries.putAll(put);
        unconfirmed.putAll(put);
        removed.forEach(name -> {
            entries.remove(name);
            unconfirmed.remove(name);
        });
        unwritten.addAll(put.keySet());
        unwritten.addAll(removed);
        resendLater();
    }

    /** Tries again at once, and writes what may be written later. */
    public void flush() {
        synchronized (this) {
            urgent = !opened;
        }
        opening.now();
        writing.now();
    }

    /** The entries of {@link #writeLater} that the store is not known to have. */
    public synchronized Map<String, String> unconfirmed() {
        return Map.copyOf(unconfirmed);
    }

    /** Waits for the answer to a write without which a job must not begin. Returns whether the job may begin. */
    boolean isConfirmed(CompletionStage<Boolean> answer) {
        watcher.jobWaits();
        boolean yes = isYes(answer);
        if (!yes && !Thread.currentThread().isInterrupted()) {
            watcher.jobDoesNotRun();
        }
        return yes;
    }

    /** Waits for an answer; no if the store refused or did not answer, or this thread is interrupted. */
    private static boolean isYes(CompletionStage<Boolean> answer) {
        try {
            return answer.toCompletableFuture().get(LONGEST_ANSWER.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } catch (ExecutionException | TimeoutException none) {
            return false;
        }
    }

    private void open(CompletableFuture<LedgerStore.Opened> result) {
        ledger.open(election, token).thenAccept(reply -> {
            if (reply instanceof LedgerStore.Opened known) {
                time.heard(known.at());
                known.entries().forEach(entries::putIfAbsent);
                synchronized (this) {
                    opened = true;
                    // The contents of a ledger that was lost are unknown.
                    intactSince = known.known() || first ? known.at().minus(known.intactFor()) : known.at();
                }
                watcher.opened(known);
                inherit(known);
                result.complete(known);
                resendSoon();
            } else if (isSuperseded(reply)) {
                resend();
            } else if (isWanted()) {
                log.debug("The ledger of '{}' can't be read yet: {}", election, reply);
                opening.later(() -> open(result));
                watcher.openFailed(reply, opening.failures());
            }
        });
    }

    private void resendSoon() {
        boolean isLate;
        synchronized (this) {
            isLate = urgent;
            urgent = false;
            if (!unwritten.isEmpty()) {
                resendLater();
            }
        }
        if (isLate) {
            writing.now();
        }
        taken();
    }

    /** Whether a newer leader has opened a ledger whose entries outlast their leadership. They are added to its ledger from now on. */
    private boolean isSuperseded(Object reply) {
        if (!(reply instanceof LedgerStore.Superseded) || !pace.outlasts()) {
            return false;
        }
        Map<String, String> dropped = new HashMap<>(unconfirmed());
        dropped.entrySet().removeIf(entry -> watcher.outlasts(entry.getKey(), entry.getValue()));
        synchronized (this) {
            superseded = true;
            opened = true;
            outdated = false;
            replacing = false;
            unconfirmed.entrySet().removeAll(dropped.entrySet());
            entries.keySet().retainAll(unconfirmed.keySet());
            unwritten.clear();
            unwritten.addAll(unconfirmed.keySet());
        }
        return true;
    }

    /**
     * Completes a new ledger if no other node was seen to lead: with the entries of this node's earlier leadership, which the store has lost,
     * or, if there was none, with the time from which on it is intact. A successor would otherwise not run slots from before it was begun.
     */
    private void inherit(LedgerStore.Opened opened) {
        Ledger before = earlier;
        earlier = null;
        if (opened.known() || !alone) {
            return;
        }
        if (before == null) {
            CompletionStage<Boolean> unused =
                    send(Request.of(Set.of()), intactSince).get();
        } else {
            before.entries.forEach(entries::putIfAbsent);
            CompletionStage<Boolean> unused =
                    send(Request.of(before.entries.keySet()), null).get();
        }
    }

    private CompletionStage<Void> answered() {
        CompletableFuture<Void> all = new CompletableFuture<>();
        synchronized (this) {
            waiting.add(all);
        }
        tellWaiting();
        return all;
    }

    private void tellWaiting() {
        List<CompletableFuture<Void>> told;
        synchronized (this) {
            if (unanswered > 0 || (retrying && !refused)) {
                return;
            }
            told = List.copyOf(waiting);
            waiting.clear();
        }
        told.forEach(all -> all.complete(null));
    }

    /**
     * Sends the present values of entries. Reads and sends under one lock, so that later values are sent later. Returns what takes the answer,
     * for the caller to run without the lock: the store may have answered already, and the watcher is told.
     */
    private synchronized Supplier<CompletionStage<Boolean>> send(Request request, @Nullable Instant restoredSince) {
        Map<String, String> put = new HashMap<>();
        Set<String> removed = new HashSet<>();
        request.names.forEach(name -> {
            String value = entries.get(name);
            if (value == null) {
                removed.add(name);
            } else if (!request.stamped.contains(name)) {
                put.put(name, value);
            }
        });
        // What is sent again on its own would overtake a stamp.
        unwritten.removeAll(request.names);
        unanswered++;
        Instant until = request.limit == null ? null : request.limit.at();
        LedgerStore.Change change = new LedgerStore.Change(put, removed, request.stamped, until);
        boolean amended = superseded;
        CompletionStage<LedgerStore.WriteReply> reply = amended
                ? ledger.amend(election, put)
                : restoredSince == null
                        ? ledger.write(election, token, change)
                        : ledger.restore(election, token, change, restoredSince);
        return () -> reply.thenCompose(answer -> {
                    if (restoredSince != null) {
                        restored(answer);
                    }
                    if (answer instanceof LedgerStore.Written || (amended && !(answer instanceof NoAnswer))) {
                        confirmed(put);
                    }
                    if (amended && !(answer instanceof NoAnswer)) {
                        taken();
                        return CompletableFuture.completedFuture(true);
                    }
                    return take(request, answer);
                })
                .whenComplete((done, failure) -> landed());
    }

    private synchronized void confirmed(Map<String, String> written) {
        written.forEach(unconfirmed::remove);
    }

    /**
     * Notes whether the ledger was replaced. What was not written is written later, and all of it: a part would not make the ledger intact.
     */
    private synchronized void restored(LedgerStore.WriteReply reply) {
        replacing = !(reply instanceof LedgerStore.Written);
        if (reply instanceof LedgerStore.TooLate) {
            resendLater();
        }
    }

    private void landed() {
        synchronized (this) {
            unanswered--;
        }
        tellWaiting();
    }

    private CompletionStage<Boolean> take(Request request, LedgerStore.WriteReply reply) {
        if (reply instanceof LedgerStore.TooLate late) {
            return repeat(request, late);
        }
        if (reply instanceof LedgerStore.Written written) {
            time.heard(written.at());
            String stamp = Long.toString(written.at().toEpochMilli());
            request.stamped.forEach(name -> entries.put(name, stamp));
        }
        if (reply instanceof LedgerStore.Forgotten && !isLeading.getAsBoolean()) {
            // Later leaders are forgotten with the ledger: a new one by this node would say that they have run nothing.
            log.debug(
                    "The ledger of '{}' is missing in the store or an old one, and this node leads no more", election);
            return CompletableFuture.completedFuture(false);
        }
        if (reply instanceof LedgerStore.Forgotten) {
            log.info(
                    "The ledger of '{}' is missing in the store or an old one; this leader writes it again from memory",
                    election);
            return replace(request).get();
        }
        if (reply instanceof NoAnswer failure) {
            retry(request.names, failure);
        } else if (isSuperseded(reply)) {
            resend();
        } else {
            taken();
        }
        return CompletableFuture.completedFuture(reply instanceof LedgerStore.Written);
    }

    /**
     * Sends a claim again that came in time by the clock of this node: that of the store was set forward, or its last answer was read late.
     */
    private CompletionStage<Boolean> repeat(Request request, LedgerStore.TooLate late) {
        time.heard(late.at());
        if (request.limit != null && !request.limit.isOver()) {
            return send(request, null).get();
        }
        log.debug("A claim in the ledger of '{}' took too long to the store, which has not carried it out", election);
        return CompletableFuture.completedFuture(false);
    }

    /**
     * Puts all entries, those of that request among them, in the place of whatever is in the ledger. Returns what takes the answer, like
     * {@link #send}.
     */
    private synchronized Supplier<CompletionStage<Boolean>> replace(Request request) {
        outdated = true;
        unanswered++;
        CompletionStage<LedgerStore.OpenReply> opening = ledger.open(election, token);
        return () -> opening.thenCompose(reply -> replace(request, reply)).whenComplete((done, failure) -> landed());
    }

    private CompletionStage<Boolean> replace(Request request, LedgerStore.OpenReply reply) {
        if (reply instanceof NoAnswer failure) {
            retry(Set.of(), failure);
        }
        if (!(reply instanceof LedgerStore.Opened found)) {
            if (isSuperseded(reply)) {
                resend();
            }
            return CompletableFuture.completedFuture(false);
        }
        time.heard(found.at());
        Supplier<CompletionStage<Boolean>> sent;
        synchronized (this) {
            outdated = false;
            Set<String> names = new HashSet<>(entries.keySet());
            names.addAll(found.entries().keySet());
            // If this node still leads, nobody else has led since the loss: it knows all that was written.
            sent = send(
                    new Request(names, request.stamped, request.limit), isLeading.getAsBoolean() ? intactSince : null);
        }
        return sent.get();
    }

    private void retry(Set<String> names, NoAnswer failure) {
        log.debug("The ledger of '{}' could not be written: {}", election, failure);
        synchronized (this) {
            unwritten.addAll(names);
            refused = LedgerProblems.isRefusal(failure);
            resendLater();
        }
        watcher.writeFailed(failure, writing.failures());
    }

    private void resendLater() {
        if (!retrying && isWorthIt()) {
            retrying = true;
            writing.later(this::resend);
        }
    }

    private void taken() {
        synchronized (this) {
            if (retrying || outdated || !unwritten.isEmpty()) {
                return;
            }
            writing.succeeded();
        }
        watcher.written();
    }

    private boolean isWorthIt() {
        if (closed || isLeading.getAsBoolean()) {
            return !closed;
        }
        long now = System.nanoTime();
        if (lostAt == null) {
            lostAt = now;
        }
        return now - lostAt < pace.worth().toNanos();
    }

    private void resend() {
        afterResending().run();
    }

    /** Sends what is to be written again, or was to be written later. Returns what to do then, without the lock. */
    private synchronized Runnable afterResending() {
        retrying = false;
        if (!opened) {
            return () -> {};
        }
        Set<String> names = Set.copyOf(unwritten);
        unwritten.clear();
        if (outdated && !isLeading.getAsBoolean()) {
            outdated = false;
            return this::tellWaiting;
        }
        boolean asAWhole = outdated || (replacing && isLeading.getAsBoolean());
        if (pace.outlasts() && names.isEmpty() && !asAWhole) {
            return this::taken;
        }
        Supplier<CompletionStage<Boolean>> sent = asAWhole ? replace(Request.of(names)) : send(Request.of(names), null);
        return () -> {
            CompletionStage<Boolean> unused = sent.get();
        };
    }

    /**
     * The knowledge of this node about earlier leaderships.
     *
     * @param entries the latest that it opened itself, {@code null} if there is none
     * @param alone whether no other node was ever seen to lead
     */
    record Earlier(@Nullable Ledger entries, boolean alone) {}

    /**
     * A write to the store.
     *
     * @param names of entries, whose values are read when they are sent
     * @param stamped the names of those that the store stamps
     * @param limit until when it may be written, {@code null} for none
     */
    private record Request(Set<String> names, Set<String> stamped, StoreTime.@Nullable Limit limit) {

        static Request of(Set<String> names) {
            return new Request(Set.copyOf(names), Set.of(), null);
        }
    }
}
