package dev.election.autoconfigure.internal.metrics;

import dev.election.autoconfigure.metrics.ApplicationTag;
import dev.election.jobs.JobRun;
import dev.election.jobs.JobRunListener;
import dev.election.spring.scheduling.JobObserver;
import dev.election.support.PartitionName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Times the runs of jobs and counts what becomes of missed slots. The counters of a job are registered, at zero, when it is known, so that
 * an alert sees them rise; its timers when a run has ended.
 */
public final class JobMeters implements JobObserver, JobRunListener {

    static final String RUNS = "election.jobs";
    static final String RECOVERED = "election.jobs.recovered";
    static final String LOST = "election.jobs.lost";
    static final String INTERRUPTED = "election.jobs.interrupted";

    /** Not {@code job}, the label by which Prometheus names what it scrapes: it would rename that of the meter. */
    private static final String JOB = "scheduled_job";

    /** Upper bound of timers, one for each job and outcome: further jobs share the timers of {@link #OTHERS}. */
    private static final int MOST = 1_000;

    private static final String OTHERS = "(others)";

    private final Supplier<MeterRegistry> registry;
    private final Supplier<String> application;
    private final Set<String> groups;
    private final Map<Job, Counters> counters = new ConcurrentHashMap<>();
    private final Map<Ended, Timer> timers = new ConcurrentHashMap<>();

    /**
     * Creates the counters.
     *
     * @param registry where to register them; called when the first job is known
     * @param application the name of this application, as the value of a tag; called then, too
     * @param groups the names of the groups of partitions; partitions have the meters of their group
     */
    public JobMeters(Supplier<MeterRegistry> registry, Supplier<String> application, Set<String> groups) {
        this.registry = registry;
        this.application = application;
        this.groups = groups;
    }

    @Override
    public void added(String election, String job) {
        Counters unused = of(election, job);
    }

    @Override
    public void ended(JobRun run) {
        Duration time = Duration.between(run.startedAt(), run.endedAt().orElse(run.startedAt()));
        Ended known = new Ended(job(run.election(), run.job()), run.outcome());
        // Some applications make a new job for each task.
        Ended ended = timers.size() < MOST || timers.containsKey(known)
                ? known
                : new Ended(job(run.election(), OTHERS), run.outcome());
        timers.computeIfAbsent(ended, this::timer)
                // The clock of the node may have been set back.
                .record(time.isNegative() ? Duration.ZERO : time);
    }

    @Override
    public void recovered(String election, String job) {
        of(election, job).recovered.increment();
    }

    @Override
    public void lost(String election, String job, int slots) {
        of(election, job).lost.increment(slots);
    }

    @Override
    public void interrupted(String election, String job) {
        of(election, job).interrupted.increment();
    }

    private Job job(String election, String name) {
        return new Job(PartitionName.shown(election, groups), name);
    }

    private Counters of(String election, String job) {
        return counters.computeIfAbsent(
                job(election, job),
                named -> new Counters(
                        counter(RECOVERED, "Slots that this node ran late, since no leader had run them", named),
                        counter(
                                LOST,
                                "Slots that nobody runs: too old, claimed and not known to have begun, or the store may have lost that they were run",
                                named),
                        counter(
                                INTERRUPTED,
                                "Slots that had begun under an earlier leader and are not run again",
                                named)));
    }

    private Counter counter(String name, String description, Job job) {
        return Counter.builder(name)
                .description(description)
                .tags(ApplicationTag.KEY, application.get(), "election", job.election)
                .tag(JOB, job.name)
                .register(registry.get());
    }

    private Timer timer(Ended ended) {
        return Timer.builder(RUNS)
                .description("Runs of guarded jobs on this node, by their outcome")
                .tags(ApplicationTag.KEY, application.get(), "election", ended.job.election)
                .tag(JOB, ended.job.name)
                .tag("outcome", ended.outcome.name().toLowerCase(Locale.ROOT))
                .register(registry.get());
    }

    private record Ended(Job job, JobRun.Outcome outcome) {}

    private record Job(String election, String name) {}

    private record Counters(Counter recovered, Counter lost, Counter interrupted) {}
}
