package dev.election.jobs.ledger;

import dev.election.FencingToken;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ledgers of the leaderships of this node, one an election. A ledger is open as soon as what earlier leaders have recorded is known.
 * The user calls {@link #open} and {@link #close(String, FencingToken)} as leaderships begin and end.
 */
public final class Ledgers {

    private final Supplier<LedgerStore> ledgerStore;
    private final Duration worth;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final LedgerProblems problems;
    private final Map<String, Ledger> current = new ConcurrentHashMap<>();

    /** The latest leadership for which a ledger was asked. */
    private final Map<String, FencingToken> asked = new ConcurrentHashMap<>();

    /** The entries of the latest leadership of this node, by election. */
    private final Map<String, Ledger> entries = new ConcurrentHashMap<>();

    private final LossDetector lossDetector;

    /** The subscriptions to reconnects, by election. */
    private final Map<String, LeaseStore.Subscription> subscriptions = new ConcurrentHashMap<>();

    /** The elections in which another node was seen to lead. */
    private final Set<String> ledByOthers = ConcurrentHashMap.newKeySet();

    /**
     * Creates the ledgers, all of them closed.
     *
     * @param ledgerStore where leaders record, {@link NoLedgerStore} for nowhere; asked for with the first leadership, must always be the same
     * @param worth for how long after the end of a leadership its pending entries are still written for the successor
     * @param clock of this node
     */
    public Ledgers(Supplier<LedgerStore> ledgerStore, Duration worth, InstantSource clock) {
        this(ledgerStore, worth, clock, System::nanoTime);
    }

    Ledgers(Supplier<LedgerStore> ledgerStore, Duration worth, InstantSource clock, LongSupplier nanos) {
        this.ledgerStore = ledgerStore;
        this.nanos = nanos;
        this.problems = new LedgerProblems(clock);
        this.worth = worth;
        this.clock = clock;
        this.lossDetector = new LossDetector(ledgerStore, entries);
    }

    /** The ledger of that leadership, {@code null} before it has been opened and when it has ended. */
    public @Nullable Ledger find(String election, FencingToken token) {
        Ledger ledger = current.get(election);
        return ledger != null && ledger.token().equals(token) ? ledger : null;
    }

    /** The ledger of the leadership that this node has, or had a moment ago; {@code null} if none is open. */
    public @Nullable Ledger find(String election) {
        return current.get(election);
    }

    /**
     * Opens the ledger of a leadership that begins. Repeats the attempt while the store does not answer and this node leads. Returns at
     * once.
     *
     * @param election the name of the election
     * @param token of the leadership
     * @param isLeading whether that leadership still holds, from memory
     * @param use what to do with the ledger when it is open; not called if the leadership is over by then
     */
    public void open(String election, FencingToken token, BooleanSupplier isLeading, Consumer<Ledger> use) {
        asked.put(election, token);
        subscriptions.computeIfAbsent(election, name -> ledgerStore.get().listen(name, () -> reconnected(name)));
        // Without a ledger, or if it is lost, nobody knows what others have run.
        boolean alone = !ledByOthers.contains(election);
        Ledger latest = entries.get(election);
        OwnLeadership leadership = new OwnLeadership(election, token, isLeading);
        Ledger own = new Ledger(
                ledgerStore.get(),
                leadership,
                new Ledger.Earlier(latest == null ? null : latest.latestOpened(), alone),
                Pace.ofClaims(worth),
                problems.of(leadership),
                new StoreTime(nanos));
        entries.put(election, own);
        own.open().thenAccept(opened -> {
            own.evidence(evidence(own, opened, alone));
            opened(election, own, use);
        });
    }

    private Evidence evidence(Ledger own, LedgerStore.Opened opened, boolean alone) {
        // Other leaders may be forgotten with a lost ledger: this node finds none, and has led before or seen others
        // lead.
        boolean areOthersForgotten =
                !opened.known() && !opened.intactFor().equals(LedgerStore.ALWAYS) && (own.isInherited() || !alone);
        Duration intactFor =
                areOthersForgotten && !opened.intactFor().isNegative() ? Duration.ZERO : opened.intactFor();
        // Slots are named by the clocks of nodes, starts by that of the store.
        long apart = areOthersForgotten ? LedgerStore.CLOCKS_APART.toMillis() : 0;
        return new Evidence(
                opened.known() || alone,
                clock.instant().minus(intactFor).toEpochMilli() + 1 + apart,
                opened.at().minus(intactFor).toEpochMilli());
    }

    /** Closes the ledger of a leadership that is over. Entries that the store did not take yet are still written. */
    public void close(String election, FencingToken token) {
        if (asked.remove(election, token)) {
            problems.lost(election);
        }
        current.computeIfPresent(election, (name, ledger) -> ledger.token().isNewerThan(token) ? ledger : null);
    }

    /** Notes that another node leads the election: from now on it may have run slots without a record. */
    public void ledByAnother(String election) {
        ledByOthers.add(election);
    }

    /** The problem of the ledger of that election, if it has one. */
    public Optional<LedgerProblem> problem(String election) {
        return problems.of(election);
    }

    /** Stops writing entries that the store did not take. */
    public void close() {
        lossDetector.close();
        subscriptions.values().forEach(LeaseStore.Subscription::close);
        entries.values().forEach(Ledger::close);
    }

    /** Checks at once whether the store still has the open ledgers. */
    void checkForLoss() {
        lossDetector.check();
    }

    private void reconnected(String election) {
        Ledger own = entries.get(election);
        if (own != null) {
            own.reconnected();
        }
    }

    private void opened(String election, Ledger ledger, Consumer<Ledger> use) {
        if (ledger.token().equals(asked.get(election))) {
            current.put(election, ledger);
            lossDetector.schedule();
            use.accept(ledger);
        }
    }
}
