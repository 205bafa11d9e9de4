package dev.election.jobs.ledger;

import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
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
    private final Ledgers ledgers;
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
        this.elections = elections;
        this.ledgerStore = ledgerStore;
        this.ledgers = new Ledgers(this::ledgerStore, WORTH, clock, nanos);
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
        synchronized (this) {
            if (found == null) {
                found = ledgerStore.apply(user.need());
            }
        }
        users.add(user);
        hearWhoLeads();
        usesMore(user);
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
                Ledger open = ledgers.find(name);
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
        return ledgers.find(election, token);
    }

    /** The ledger of the leadership that this node has, or had a moment ago; {@code null} if none is open. */
    public @Nullable Ledger find(String election) {
        return ledgers.find(election);
    }

    /** The problem of the ledger of that election, if it has one. */
    public Optional<LedgerProblem> problem(String election) {
        return ledgers.problem(election);
    }

    /** Opens no ledger any more, and writes nothing more that the store did not take. */
    @Override
    public void close() {
        Turns known = turns();
        if (known != null) {
            known.elections.removeListener(known);
        }
        ledgers.close();
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

        /** The leadership whose ledger was asked for last, by election. */
        private final Map<String, FencingToken> begun = new ConcurrentHashMap<>();

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
            begun.remove(event.election(), event.token());
            ledgers.close(event.election(), event.token());
            users.forEach(user -> user.lost(event.election(), event.token()));
        }

        @Override
        public void onLeaderChanged(LeadershipEvent.LeaderChanged event) {
            event.leader()
                    .filter(leader -> !leader.node().equals(elections.node()))
                    .ifPresent(other -> ledgers.ledByAnother(event.election()));
        }

        private void openIfBegun(String election) {
            FencingToken token = acquired.get(election);
            if (token != null) {
                open(election, token);
            }
        }

        private void open(String election, FencingToken token) {
            boolean isUsed = users.stream().anyMatch(user -> user.uses(election));
            if (!isUsed || token.equals(begun.put(election, token))) {
                return;
            }
            ledgers.open(election, token, () -> leads(election, token), ledger -> users.stream()
                    .filter(user -> user.uses(election))
                    .forEach(user -> user.opened(election, ledger)));
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
