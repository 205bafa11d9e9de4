package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.engine.ElectionEngine;
import dev.election.ledger.LedgerUser;
import dev.election.ledger.NoLogbook;
import dev.election.store.LeaseStore;
import dev.election.store.Logbook;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.beans.factory.ObjectProvider;

/** The logbook in which leaders record the slots of scheduled jobs that they have run. */
final class RequiredLogbook implements Function<LedgerUser.Need, Logbook> {

    private static final Logger log = LoggerFactory.getLogger(RequiredLogbook.class);

    private static final String NONE = "the application defines no Logbook bean, and its lease store has no Logbook";
    private static final String DEFINE =
            "Define a Logbook bean (over another store if that of the leases keeps none), return a Logbook from"
                    + " LeaseStore.logbook(), or ";

    private final ObjectProvider<Logbook> books;
    private final ObjectProvider<LeaseStore> stores;
    private final ObjectProvider<Elections> elections;
    private final ElectionJobsProperties.Ledger ledger;

    /**
     * @param books of the context
     * @param stores of the context
     * @param elections of the context
     * @param ledger where the application wants slots to be recorded
     */
    RequiredLogbook(
            ObjectProvider<Logbook> books,
            ObjectProvider<LeaseStore> stores,
            ObjectProvider<Elections> elections,
            ElectionJobsProperties.Ledger ledger) {
        this.books = books;
        this.stores = stores;
        this.elections = elections;
        this.ledger = ledger;
    }

    /** The bean of the context, or else that of its lease store, if the application wants one. */
    @Override
    public Logbook apply(LedgerUser.Need need) {
        return find().orElseThrow(() -> new ElectionConfigurationException(
                "There is no Logbook in which a leader could record the slots and starts of jobs for the next leader,"
                        + " as needed by "
                        + need.what() + ": " + NONE,
                DEFINE + need.without() + "."));
    }

    /** The same for records that the application has not asked for; without a logbook they are not kept, which is logged. */
    Logbook getIfAvailable() {
        return find().orElseGet(() -> {
            log.info("The runs of jobs are not recorded: {}", NONE);
            return new NoLogbook();
        });
    }

    /**
     * Refuses to start where nothing can keep the records that the application asks for.
     *
     * @throws ElectionConfigurationException if there is no logbook, or the application wants none
     */
    void requireForRuns() {
        if (ledger == ElectionJobsProperties.Ledger.OFF) {
            throw new ElectionConfigurationException(
                    "election.jobs.history asks for records of the runs of jobs, but election.jobs.ledger=off keeps"
                            + " none",
                    "Remove one of the two.");
        }
        if (find().isEmpty()) {
            throw new ElectionConfigurationException(
                    "election.jobs.history asks for records of the runs of jobs, but there is no Logbook to keep them"
                            + " in: "
                            + NONE,
                    DEFINE + "remove election.jobs.history to do without.");
        }
    }

    /** Empty if a logbook is wanted and missing. */
    private Optional<Logbook> find() {
        if (ledger == ElectionJobsProperties.Ledger.OFF) {
            return Optional.of(new NoLogbook());
        }
        Logbook book = books.getIfAvailable();
        if (book != null) {
            return Optional.of(book);
        }
        if (!areOverStore()) {
            return Optional.of(new NoLogbook());
        }
        return Optional.ofNullable(stores.getIfUnique()).flatMap(LeaseStore::logbook);
    }

    /** An engine always is. Other elections, such as those of a test, keep nothing in a store, and have no leader elsewhere. */
    private boolean areOverStore() {
        Elections found = elections.getIfAvailable();
        return found != null && ElectionEngine.class.isAssignableFrom(AopProxyUtils.ultimateTargetClass(found));
    }
}
