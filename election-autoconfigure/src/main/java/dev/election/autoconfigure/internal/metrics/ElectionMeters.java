package dev.election.autoconfigure.internal.metrics;

import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.Leadership;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import dev.election.LossReason;
import dev.election.Role;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.LeaderHealth;
import dev.election.autoconfigure.internal.watch.MembersObserver;
import dev.election.autoconfigure.internal.watch.MessagesObserver;
import dev.election.autoconfigure.metrics.ApplicationTag;
import dev.election.members.Members;
import dev.election.members.MessageCount;
import dev.election.members.NodeMessages;
import dev.election.partitions.PartitionGroup;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.CallOutcome;
import dev.election.spring.calls.CallerContext;
import dev.election.support.PartitionName;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.TimeGauge;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The meters of the elections of this node. All meters of an election are registered, at zero, when it starts, so that an alert can
 * distinguish "has not happened" from "is not measured". Partitions have those of their group.
 */
public final class ElectionMeters implements LeadershipListener, CallObserver, MembersObserver, MessagesObserver {

    static final String LEADER = "election.leader";
    static final String OBSERVER = "election.observer";
    static final String TRANSITIONS = "election.transitions";
    static final String RENEWALS = "election.renewals";
    static final String REMAINING = "election.lease.remaining";
    static final String LEADERLESS = "election.leaderless";
    static final String CALLS = "election.calls";
    static final String LED = "election.partitions.led";
    static final String WITHOUT_LEADER = "election.partitions.leaderless";

    private static final String ACQUIRED = "acquired";
    private static final String RECOVERY_FAILED = "recovery-failed";
    private static final String OF_TRANSITIONS = "How often this node acquired or lost leadership";

    private final MeterRegistry registry;
    private final Elections elections;
    private final ElectionWatch watch;
    private final String application;
    private final Map<String, PartitionGroup> groups;
    private final Map<String, Meters> meters = new ConcurrentHashMap<>();

    /**
     * Creates the meters.
     *
     * @param registry where to register the meters
     * @param elections the elections to measure
     * @param watch their status
     * @param application the name of this application, as the value of a tag
     * @param groups the groups of partitions
     */
    public ElectionMeters(
            MeterRegistry registry,
            Elections elections,
            ElectionWatch watch,
            String application,
            Collection<PartitionGroup> groups) {
        this.registry = registry;
        this.elections = elections;
        this.watch = watch;
        this.application = application;
        this.groups = groups.stream().collect(Collectors.toMap(PartitionGroup::name, Function.identity()));
    }

    @Override
    public void onEvent(LeadershipEvent event) {
        metersOf(event.election());
        LeadershipListener.super.onEvent(event);
    }

    @Override
    public void onAcquired(LeadershipEvent.Acquired event) {
        count(metersOf(event.election()).transitions, ACQUIRED);
    }

    @Override
    public void onRecoveryFailed(LeadershipEvent.RecoveryFailed event) {
        // There only once a recovery has failed: most applications have none.
        counter(TRANSITIONS, OF_TRANSITIONS, shown(event.election()), "reason", RECOVERY_FAILED)
                .increment();
    }

    @Override
    public void onLost(LeadershipEvent.Lost event) {
        count(metersOf(event.election()).transitions, tag(event.reason().name()));
    }

    @Override
    public void called(String election, CallOutcome outcome, @Nullable FencingToken token, CallerContext caller) {
        count(metersOf(election).calls, outcome.tag());
    }

    /** The health contributor as a meter, for an alert: Spring Boot exports none of health. */
    public void observe(LeaderHealth health) {
        Gauge.builder("election.health", health, asked -> asked.isUp() ? 1 : 0)
                .description("1 if the health contributor of the elections is up, 0 if it is down")
                .tag(ApplicationTag.KEY, application)
                .register(registry);
    }

    @Override
    public void observe(Members members) {
        Gauge.builder("election.members", members, Members::count)
                .description("How many members this node knows")
                .tag(ApplicationTag.KEY, application)
                .register(registry);
    }

    @Override
    public void observe(NodeMessages messages) {
        for (MessageCount what : MessageCount.values()) {
            FunctionCounter.builder("election.messages", messages, counted -> counted.count(what))
                    .description("What happened to messages of members in this process")
                    .tag(ApplicationTag.KEY, application)
                    .tag("outcome", tag(what.name()))
                    .register(registry);
        }
    }

    private Meters metersOf(String election) {
        String shown = shown(election);
        Meters known = meters.get(shown);
        return known != null ? known : meters.computeIfAbsent(shown, this::register);
    }

    private String shown(String election) {
        return PartitionName.shown(election, groups.keySet());
    }

    private Meters register(String name) {
        PartitionGroup group = groups.get(name);
        if (group == null) {
            registerElection(name);
        } else {
            register(LED, "How many partitions this node leads", group, PartitionGroup::held);
            register(
                    WITHOUT_LEADER,
                    "Of how many partitions this node knows no leader",
                    group,
                    PartitionGroup::withoutLeader);
        }
        return new Meters(
                counters(
                        TRANSITIONS,
                        OF_TRANSITIONS,
                        name,
                        "reason",
                        Stream.concat(
                                Stream.of(ACQUIRED),
                                Stream.of(LossReason.values()).map(LossReason::name))),
                counters(
                        CALLS,
                        "Calls of guarded methods",
                        name,
                        "outcome",
                        Stream.of(CallOutcome.values()).map(CallOutcome::tag)));
    }

    private void register(
            String meter, String description, PartitionGroup group, Function<PartitionGroup, List<Integer>> counted) {
        Gauge.builder(meter, group, asked -> counted.apply(asked).size())
                .description(description)
                .tags(ApplicationTag.KEY, application, "group", group.name())
                .register(registry);
    }

    private void registerElection(String name) {
        Election election = elections.get(name);
        Gauge.builder(LEADER, election, asked -> asked.isLeader() ? 1 : 0)
                .description("1 if this node leads, 0 if it does not")
                .tags(ApplicationTag.KEY, application, "election", name)
                .register(registry);
        Gauge.builder(OBSERVER, election, asked -> asked.role() == Role.OBSERVER ? 1 : 0)
                .description("1 if this node is an observer, which never leads, 0 if it is a candidate")
                .tags(ApplicationTag.KEY, application, "election", name)
                .register(registry);
        TimeGauge.builder(REMAINING, election, TimeUnit.NANOSECONDS, ElectionMeters::remaining)
                .description(
                        "How long leadership lasts if no further renewal succeeds; NaN on a node that does not lead")
                .tags(ApplicationTag.KEY, application, "election", name)
                .register(registry);
        TimeGauge.builder(LEADERLESS, election, TimeUnit.NANOSECONDS, this::leaderless)
                .description("For how long this node has known no leader; 0 while it knows one")
                .tags(ApplicationTag.KEY, application, "election", name)
                .register(registry);
    }

    private Map<String, Counter> counters(
            String meter, String description, String election, String tag, Stream<String> values) {
        Map<String, Counter> counters = new ConcurrentHashMap<>();
        values.forEach(value -> counters.put(tag(value), counter(meter, description, election, tag, value)));
        return counters;
    }

    private Counter counter(String meter, String description, String election, String tag, String value) {
        return Counter.builder(meter)
                .description(description)
                .tags(ApplicationTag.KEY, application, "election", election)
                .tag(tag, tag(value))
                .register(registry);
    }

    private static void count(Map<String, Counter> counters, String tag) {
        Counter counter = counters.get(tag);
        if (counter != null) {
            counter.increment();
        }
    }

    private static double remaining(Election election) {
        return election.leadership()
                .map(Leadership::remaining)
                .map(left -> (double) left.toNanos())
                .orElse(Double.NaN);
    }

    private double leaderless(Election election) {
        boolean isOut = election.role() == Role.STOPPED || election.leader().isPresent();
        return isOut ? 0 : watch.leaderless(election.name()).toNanos();
    }

    /** A name in the usual notation of tag values. */
    private static String tag(String name) {
        return name.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private record Meters(Map<String, Counter> transitions, Map<String, Counter> calls) {}
}
