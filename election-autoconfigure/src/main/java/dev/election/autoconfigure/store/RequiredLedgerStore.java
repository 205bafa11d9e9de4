package dev.election.autoconfigure.store;

import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.jobs.ledger.LedgerUser;
import dev.election.jobs.ledger.NoLedgerStore;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;

/** The ledger store in which leaders record the slots of scheduled jobs that they have run. */
public final class RequiredLedgerStore implements Function<LedgerUser.Need, LedgerStore> {

    private static final Logger log = LoggerFactory.getLogger(RequiredLedgerStore.class);

    private static final String NONE =
            "the application defines no LedgerStore bean, and its lease store has no LedgerStore";
    private static final String DEFINE =
            "Define a LedgerStore bean (over another store if that of the leases keeps none), return a LedgerStore from"
                    + " LeaseStore.ledgerStore(), or ";

    private final ObjectProvider<LedgerStore> ledgers;
    private final ObjectProvider<LeaseStore> stores;
    private final ObjectProvider<Elections> elections;
    private final boolean isKept;

    /**
     * @param ledgers of the context
     * @param stores of the context
     * @param elections of the context
     * @param isKept whether the application wants slots to be recorded
     */
    public RequiredLedgerStore(
            ObjectProvider<LedgerStore> ledgers,
            ObjectProvider<LeaseStore> stores,
            ObjectProvider<Elections> elections,
            boolean isKept) {
        this.ledgers = ledgers;
        this.stores = stores;
        this.elections = elections;
        this.isKept = isKept;
    }

    /** Finds the ledger store bean of the context, or else that of its lease store, if the application wants one. */
    @Override
    public LedgerStore apply(LedgerUser.Need need) {
        return find().orElseThrow(() -> new ElectionConfigurationException(
                "There is no LedgerStore in which a leader could record the slots and starts of jobs for the next leader,"
                        + " as needed by "
                        + need.what() + ": " + NONE,
                DEFINE + need.without() + "."));
    }

    /** Returns a ledger store for records that the application has not asked for: if there is none, one that keeps nothing, which is logged. */
    public LedgerStore getIfAvailable() {
        return find().orElseGet(() -> {
            log.info("The runs of jobs are not recorded: {}", NONE);
            return new NoLedgerStore();
        });
    }

    /** Empty if a ledger store is wanted and missing. */
    private Optional<LedgerStore> find() {
        if (!isKept) {
            return Optional.of(new NoLedgerStore());
        }
        LedgerStore ledgerStore = ledgers.getIfAvailable();
        if (ledgerStore != null) {
            return Optional.of(ledgerStore);
        }
        if (!areOverStore()) {
            return Optional.of(new NoLedgerStore());
        }
        return Optional.ofNullable(stores.getIfUnique()).flatMap(LeaseStore::ledgerStore);
    }

    /** An engine always is. Other elections, such as those of a test, keep nothing in a store, and have no leader elsewhere. */
    private boolean areOverStore() {
        Elections found = elections.getIfAvailable();
        return found != null && ElectionEngine.class.isAssignableFrom(AopProxyUtils.ultimateTargetClass(found));
    }
}
