package dev.election.jobs.ledger;

import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The ledgers of this node's leaderships, shared by all of their users: each election has one ledger, in which all schedulers record their
 * jobs. It is opened when a leadership begins, if it has a user.
 */
public final class SharedLedgers implements AutoCloseable {

    /** How long after the end of a leadership its pending entries are still written. */
    private static final Duration WORTH = Duration.ofMinutes(10);

    private final Supplier<Elections> elections;
    private final Function<LedgerUser.Need, LedgerStore> ledgerStore;
    private final Duration worth;
    private final InstantSource clock;
    private final LongSupplier nanos;
    private final LedgerProblems problems;

    /** The open ledgers, by election. */
    private final Map<String, Ledger> current = new ConcurrentHashMap<>();

    /** The latest leadership for which a ledger was asked. */
    private final Map<String, FencingToken> asked = new ConcurrentHashMap<>();

    /** The ledgers of the latest leaderships of this node, open or not, by election. */
    private final Map<String, Ledger> latest = new ConcurrentHashMap<>();

    /** The subscriptions to reconnects, by election. */
    private final Map<String, LeaseStore.Subscription> subscriptions = new ConcurrentHashMap<>();

    /** The elections in which another node was seen to lead. */
    private final Set<String> ledByOthers = ConcurrentHashMap.newKeySet();

    private final List<LedgerUser> users = new CopyOnWriteArrayList<>();

    /** Listener to the elections, {@code null} until it is needed. Guarded by this, like the next field. */
    private @Nullable Turns turns;

    private @Nullable LedgerStore found;

    /**
     * Creates the ledgers, without a user.
     *
     * @param elections asked for with the first user, or by {@link #hearWhoLeads}
     * @param ledgerStore where leaders record, {@link NoLedgerStore} for nowhere; asked for with the need of the first user
     * @param clock of this node
     */
    public SharedLedgers(
            Supplier<Elections> elections, Function<LedgerUser.Need, LedgerStore> ledgerStore, InstantSource clock) {
        this(elections, ledgerStore, clock, System::nanoTime);
    }

    /**
     * Creates the ledgers with another monotonic clock.
     *
     * @param nanos in place of {@link System#nanoTime()}
     */
    public SharedLedgers(
            Supplier<Elections> elections,
            Function<LedgerUser.Need, LedgerStore> ledgerStore,
            InstantSource clock,
            LongSupplier nanos) {
        this(elections, ledgerStore, WORTH, clock, nanos);
    }

    /**
     * @param worth how long after the end of a leadership its pending entries are still written
     */
    SharedLedgers(
            Supplier<Elections> elections,
            Function<LedgerUser.Need, LedgerStore> ledgerStore,
            Duration worth,
            InstantSource clock,
            LongSupplier nanos) {
        this.elections = elections;
        this.ledgerStore = ledgerStore;
        this.worth = worth;
        this.clock = clock;
        this.nanos = nanos;
        this.problems = new LedgerProblems(clock);
    }

    /**
     * Notes from now on which elections other nodes lead, also before the first user joins: a later one must not take an empty ledger as a
     * sign that nobody has run its jobs. Fails if nothing can decide who leads.
     */
    public void hearWhoLeads() {
        Turns added = null;
        synchronized (this) {
            if (turns == null) {
                added = new Turns(elections.get());
                turns = added;
            }
        }
        if (added != null) {
            added.elections.addListener(added);
        }
    }

    /** Notifies that user from now on. Fails if there are no elections, or no ledger store. */
    public void join(LedgerUser user) {
        use(user.need());
        users.add(user);
        hearWhoLeads();
        usesMore(user);
    }

    /** Finds the ledger store, if nobody has needed it before. */
    synchronized void use(LedgerUser.Need need) {
        if (found == null) {
            found = ledgerStore.apply(need);
        }
    }

    /** Notifies that user no longer. */
    public void leave(LedgerUser user) {
        users.remove(user);
    }

    /**
     * Opens the ledgers of a user that has joined and may use more elections than before. Passes it ledgers that are open already, maybe
     * once more.
     */
    public void usesMore(LedgerUser user) {
        Turns known = turns();
        if (known == null) {
            return;
        }
        for (Election election : known.elections.all()) {
            String name = election.name();
            if (user.uses(name)) {
                Ledger open = find(name);
                if (open != null) {
                    user.opened(name, open);
                } else {
                    known.openIfBegun(name);
                }
            }
        }
    }

    /** Whether this node has that leadership, from memory. */
    public boolean leads(String election, FencingToken token) {
        Turns known = turns();
        return known != null && known.leads(election, token);
    }

    /** The election of that name, if this node takes part in it. */
    public Optional<Election> election(String name) {
        Turns known = turns();
        return known == null ? Optional.empty() : known.elections.find(name);
    }

    /** Whether this node leads that election and begins nothing new, since it hands leadership over. */
    public boolean isResigning(String election) {
        Turns known = turns();
        return known != null && known.resigning.contains(election);
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
    void open(String election, FencingToken token, BooleanSupplier isLeading, Consumer<Ledger> use) {
        asked.put(election, token);
        subscriptions.computeIfAbsent(election, name -> ledgerStore().listen(name, () -> reconnected(name)));
        // Without a ledger, or if it is lost, nobody knows what others have run.
        boolean alone = !ledByOthers.contains(election);
        Ledger before = latest.get(election);
        OwnLeadership leadership = new OwnLeadership(election, token, isLeading);
        Ledger own = new Ledger(
                ledgerStore(),
                leadership,
                new Ledger.Earlier(before == null ? null : before.latestOpened(), alone),
                Pace.ofClaims(worth),
                problems.of(leadership),
                new StoreTime(nanos));
        latest.put(election, own);
        own.open().thenAccept(opened -> {
            own.evidence(evidence(own, opened, alone));
            opened(election, own, use);
        });
    }

    private Evidence evidence(Ledger own, LedgerStore.Opened opened, boolean alone) {
        // Other leaders may be forgotten with a lost ledger: this node finds none, and has led before or seen others
        // lead.
        boolean areOthersForgotten =
                !opened.known() && !opened.intactFor().equals(LedgerStore.ALWAYS) && !own.isFirst();
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
    void close(String election, FencingToken token) {
        if (asked.remove(election, token)) {
            problems.lost(election);
        }
        current.computeIfPresent(election, (name, ledger) -> ledger.token().isNewerThan(token) ? ledger : null);
    }

    /** Notes that another node leads the election: from now on it may have run slots without a record. */
    void ledByAnother(String election) {
        ledByOthers.add(election);
    }

    /** The problem of the ledger of that election, if it has one. */
    public Optional<LedgerProblem> problem(String election) {
        return problems.of(election);
    }

    /** Opens no ledger any more, and writes nothing more that the store did not take. */
    @Override
    public void close() {
        Turns known = turns();
        if (known != null) {
            known.elections.removeListener(known);
        }
        subscriptions.values().forEach(LeaseStore.Subscription::close);
        latest.values().forEach(Ledger::close);
    }

    private void reconnected(String election) {
        Ledger own = latest.get(election);
        if (own != null) {
            own.reconnected();
        }
    }

    private void opened(String election, Ledger ledger, Consumer<Ledger> use) {
        if (ledger.token().equals(asked.get(election))) {
            current.put(election, ledger);
            ledger.watchForLoss();
            use.accept(ledger);
        }
    }

    private synchronized @Nullable Turns turns() {
        return turns;
    }

    private synchronized LedgerStore ledgerStore() {
        return Objects.requireNonNull(found, "Nobody uses the ledgers");
    }

    /** Receives the events of the elections, on a thread for listeners and never on that of the elections. */
    private final class Turns implements LeadershipListener {

        private final Elections elections;

        /** The leaderships that this node has acquired, by election; one that still recovers is not among them. */
        private final Map<String, FencingToken> acquired = new ConcurrentHashMap<>();

        /**
         * The elections that this node leads and hands over. {@code Lost} takes an election out, and so does {@code Acquired}: a leader
         * that resigns during its recovery and leads on gets {@code Acquired} afterwards, and no {@code Resumed}.
         */
        private final Set<String> resigning = ConcurrentHashMap.newKeySet();

        private Turns(Elections elections) {
            this.elections = elections;
        }

        @Override
        public void onAcquired(LeadershipEvent.Acquired event) {
            resigning.remove(event.election());
            // Before the look at the users: one that joins meanwhile finds the leadership here.
            acquired.put(event.election(), event.leader().token());
            open(event.election(), event.leader().token());
        }

        @Override
        public void onResigning(LeadershipEvent.Resigning event) {
            resigning.add(event.election());
            users.forEach(user -> user.resigning(event.election()));
        }

        @Override
        public void onResumed(LeadershipEvent.Resumed event) {
            resigning.remove(event.election());
            users.forEach(user -> user.resumed(event.election()));
        }

        @Override
        public void onLost(LeadershipEvent.Lost event) {
            resigning.remove(event.election());
            acquired.remove(event.election(), event.token());
            SharedLedgers.this.close(event.election(), event.token());
            users.forEach(user -> user.lost(event.election(), event.token()));
        }

        @Override
        public void onLeaderChanged(LeadershipEvent.LeaderChanged event) {
            event.leader()
                    .filter(leader -> !leader.node().equals(elections.node()))
                    .ifPresent(other -> ledByAnother(event.election()));
        }

        private void openIfBegun(String election) {
            FencingToken token = acquired.get(election);
            if (token != null) {
                open(election, token);
            }
        }

        private void open(String election, FencingToken token) {
            boolean isUsed = users.stream().anyMatch(user -> user.uses(election));
            // At once: two that ask at a time must not open two ledgers of one leadership.
            if (isUsed && !token.equals(asked.put(election, token))) {
                SharedLedgers.this.open(election, token, () -> leads(election, token), ledger -> users.stream()
                        .filter(user -> user.uses(election))
                        .forEach(user -> user.opened(election, ledger)));
            }
        }

        private boolean leads(String election, FencingToken token) {
            return elections
                    .find(election)
                    .flatMap(Election::leadership)
                    .filter(leadership -> leadership.token().equals(token))
                    .isPresent();
        }
    }
}
