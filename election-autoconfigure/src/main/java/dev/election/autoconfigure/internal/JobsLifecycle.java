package dev.election.autoconfigure.internal;

import dev.election.autoconfigure.internal.watch.Impediment;
import dev.election.autoconfigure.internal.watch.Impediments;
import dev.election.jobs.history.JobHistory;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.jobs.requests.JobRequests;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.event.ContextClosedEvent;

/**
 * Begins and ends the records of jobs in a context, and says in between why jobs do not run. Ledgers follow from the start who leads, since
 * an application may add jobs while it runs. The ends of runs are written before the store is closed.
 */
public final class JobsLifecycle
        implements SmartInitializingSingleton, ApplicationListener<ContextClosedEvent>, Impediments {

    private final ApplicationContext context;
    private final SharedLedgers ledgers;
    private final JobHistory history;
    private final JobRequests requests;
    private final BooleanSupplier hasElections;

    /**
     * @param context of the other beans
     * @param ledgers that are kept
     * @param history of the runs
     * @param requests to run a job by hand
     * @param hasElections whether anything decides who leads
     */
    public JobsLifecycle(
            ApplicationContext context,
            SharedLedgers ledgers,
            JobHistory history,
            JobRequests requests,
            BooleanSupplier hasElections) {
        this.context = context;
        this.ledgers = ledgers;
        this.history = history;
        this.requests = requests;
        this.hasElections = hasElections;
    }

    @Override
    public void afterSingletonsInstantiated() {
        if (hasElections.getAsBoolean()) {
            ledgers.hearWhoLeads();
            requests.hear();
        }
    }

    /** Spring publishes the end of a child context in its parent, too, whose history that child may have used and others still use. */
    @Override
    public void onApplicationEvent(ContextClosedEvent closed) {
        if (closed.getApplicationContext() == context) {
            history.end();
        }
    }

    @Override
    public List<Impediment> of(String election) {
        return ledgers
                .problem(election)
                .map(found -> new Impediment(
                        "jobs",
                        found.problem().name(),
                        found.action(),
                        found.detail(),
                        found.since(),
                        found.stopsJobs()))
                .stream()
                .toList();
    }
}
