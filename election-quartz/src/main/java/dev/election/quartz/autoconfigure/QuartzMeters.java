package dev.election.quartz.autoconfigure;

import dev.election.autoconfigure.metrics.ApplicationTag;
import dev.election.quartz.internal.scheduler.QuartzObserver;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/**
 * Counts vetoed, recovered and lost firings of Quartz. The counters of an election are registered, at zero, when it is known to guard jobs,
 * so that an alert sees them rise.
 */
public final class QuartzMeters implements QuartzObserver {

    static final String VETOED = "election.quartz.vetoed";
    static final String RECOVERED = "election.quartz.recovered";
    static final String LOST = "election.quartz.lost";

    private final Supplier<MeterRegistry> registry;
    private final Supplier<String> application;
    private final Map<String, Counters> counters = new ConcurrentHashMap<>();

    /**
     * Creates the counters.
     *
     * @param registry where to register the counters; called when the first election is known
     * @param application the name of this application, as the value of a tag; called then, too
     */
    public QuartzMeters(Supplier<MeterRegistry> registry, Supplier<String> application) {
        this.registry = registry;
        this.application = application;
    }

    /** Registers the counters of an election that guards jobs. */
    @Override
    public void guarded(String election) {
        Counters unused = countersOf(election);
    }

    /** Counts a firing that was vetoed. */
    @Override
    public void vetoed(String scheduler, String election) {
        countersOf(election).vetoed.increment();
    }

    /** Counts a firing that an earlier leader missed and that takes place now. */
    @Override
    public void recovered(String scheduler, String election) {
        countersOf(election).recovered.increment();
    }

    /** Counts slots that nobody fires. */
    @Override
    public void lost(String scheduler, String election, int slots) {
        countersOf(election).lost.increment(slots);
    }

    private Counters countersOf(String election) {
        return counters.computeIfAbsent(
                election,
                name -> new Counters(
                        counter(VETOED, "Firings that this node vetoed, since it did not lead", name),
                        counter(RECOVERED, "Firings missed under an earlier leader that this node fired late", name),
                        counter(
                                LOST,
                                "Slots that nobody fires: too old, claimed and not known to have begun, or maybe fired without a trace",
                                name)));
    }

    private Counter counter(String name, String description, String election) {
        return Counter.builder(name)
                .description(description)
                .tags(ApplicationTag.KEY, application.get(), "election", election)
                .register(registry.get());
    }

    private record Counters(Counter vetoed, Counter recovered, Counter lost) {}
}
