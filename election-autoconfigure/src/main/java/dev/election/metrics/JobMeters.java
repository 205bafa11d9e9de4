package dev.election.metrics;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** Counts what becomes of missed slots. The counters of a job are registered when one of them counts first. */
public final class JobMeters {

    static final String RECOVERED = "election.jobs.recovered";
    static final String LOST = "election.jobs.lost";
    static final String INTERRUPTED = "election.jobs.interrupted";

    private final Supplier<MeterRegistry> registry;
    private final Map<Job, Counters> counters = new ConcurrentHashMap<>();

    /**
     * Creates the counters.
     *
     * @param registry where to register them; called when the first slot is counted
     */
    public JobMeters(Supplier<MeterRegistry> registry) {
        this.registry = registry;
    }

    /** A slot that was missed is run now. */
    public void recovered(String election, String job) {
        of(election, job).recovered.increment();
    }

    /** So many slots are not run any more. */
    public void lost(String election, String job, int slots) {
        of(election, job).lost.increment(slots);
    }

    /** A slot that had begun under an earlier leader is not run again. */
    public void interrupted(String election, String job) {
        of(election, job).interrupted.increment();
    }

    private Counters of(String election, String job) {
        return counters.computeIfAbsent(
                new Job(election, job),
                named -> new Counters(
                        counter(RECOVERED, "Slots that this node ran late, since no leader had run them", named),
                        counter(
                                LOST,
                                "Slots that nobody runs: they were too old, or the store may have lost that they were run",
                                named),
                        counter(
                                INTERRUPTED,
                                "Slots that had begun under an earlier leader and are not run again",
                                named)));
    }

    private Counter counter(String name, String description, Job job) {
        return Counter.builder(name)
                .description(description)
                .tag("election", job.election)
                .tag("job", job.name)
                .register(registry.get());
    }

    private record Job(String election, String name) {}

    private record Counters(Counter recovered, Counter lost, Counter interrupted) {}
}
