package dev.election.spring.guard;

import static dev.election.spring.annotation.ElectionAnnotation.GUARD;
import static dev.election.spring.annotation.ElectionAnnotation.PARTITIONED;

import dev.election.ConditionalOnLeader;
import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.OnLoss;
import dev.election.Otherwise;
import dev.election.Partitioned;
import dev.election.Recover;
import dev.election.spring.calls.JobTerms;
import dev.election.spring.calls.PartitionCall;
import dev.election.spring.lifecycle.WantedElections;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.function.SingletonSupplier;

/** Reads guards from annotations, including composed annotations and those of interfaces and superclasses. */
public final class GuardReader implements AopInfrastructureBean, WantedElections {

    private final UnaryOperator<String> placeholders;
    private final Supplier<Elections> elections;
    private final Map<String, Integer> groups;
    private final Set<String> onePerProcess;
    private final Set<String> names = new ConcurrentSkipListSet<>();
    private final Map<Method, String> partitioned = new ConcurrentHashMap<>();

    /**
     * Creates a reader for an application without partitions.
     *
     * @param placeholders replaces {@code ${...}} in names
     * @param elections called at the first guarded call, since guarded beans may be created before the elections
     */
    public GuardReader(UnaryOperator<String> placeholders, Supplier<Elections> elections) {
        this(placeholders, elections, Map.of(), Set.of());
    }

    /**
     * Creates a reader.
     *
     * @param placeholders replaces {@code ${...}} in names
     * @param elections called at the first guarded call, since guarded beans may be created before the elections
     * @param groups the groups of the application, with the numbers of their partitions
     * @param onePerProcess those of which a process leads one partition at most
     */
    public GuardReader(
            UnaryOperator<String> placeholders,
            Supplier<Elections> elections,
            Map<String, Integer> groups,
            Set<String> onePerProcess) {
        this.placeholders = placeholders;
        this.elections = elections;
        this.groups = Map.copyOf(groups);
        this.onePerProcess = Set.copyOf(onePerProcess);
    }

    /** The methods that are called for each partition, with their groups, that were read so far. */
    public Map<Method, String> partitioned() {
        return partitioned;
    }

    /** The elections named by the guards that were read so far. */
    @Override
    public Set<String> names() {
        return names;
    }

    /** Whether the element has a guard. Needs no reader, so that beans without guards are created without one. */
    static boolean marks(AnnotatedElement element) {
        MergedAnnotations found = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        return found.isPresent(LeaderOnly.class)
                || found.isPresent(ConditionalOnLeader.class)
                || found.isPresent(Partitioned.class);
    }

    @Nullable
    MethodGuard read(AnnotatedElement element) {
        MergedAnnotations found = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotation<Partitioned> shared = found.get(Partitioned.class);
        if (shared.isPresent() && element instanceof Method method) {
            return ofPartition(method, shared);
        }
        MergedAnnotation<LeaderOnly> brief = found.get(LeaderOnly.class);
        MergedAnnotation<ConditionalOnLeader> full = found.get(ConditionalOnLeader.class);
        if (brief.isPresent() && (!full.isPresent() || brief.getAggregateIndex() <= full.getAggregateIndex())) {
            String name = GUARD.electionName(placeholders, element, brief.getString(MergedAnnotation.VALUE));
            return guard(element, brief, name, election(name), 0);
        }
        if (full.isPresent()) {
            String name = GUARD.electionName(placeholders, element, full.getString("election"));
            return new MethodGuard(
                    name,
                    election(name),
                    full.getEnum("otherwise", Otherwise.class),
                    full.getEnum("onLoss", OnLoss.class),
                    null,
                    JobTerms.NONE);
        }
        return null;
    }

    /** The guard of a method whose calls are each for another election. */
    private MethodGuard ofPartition(Method method, MergedAnnotation<Partitioned> found) {
        String group = PARTITIONED.electionName(placeholders, method, found.getString(MergedAnnotation.VALUE));
        Integer partitions = groups.get(group);
        if (partitions == null) {
            throw PARTITIONED.invalid(
                    method,
                    "there is no group of partitions '" + group + "'",
                    "Set election.partitions." + group + ".count to the number of its partitions.");
        }
        partitioned.put(method, group);
        Supplier<Election> called = () -> {
            Election partition = PartitionCall.take();
            if (partition == null) {
                throw new IllegalStateException("A @Partitioned method is called by its schedule only, once for each"
                        + " partition: " + method + ". Call PartitionGroup.runIfHeld with a method without the"
                        + " annotation");
            }
            return partition;
        };
        MethodGuard guard = guard(method, found, group, called, partitions);
        if (onePerProcess.contains(group)) {
            Duration recoverWithin = guard.terms().recoverWithin();
            if (recoverWithin != null && !recoverWithin.isZero()) {
                throw notOnePerProcess(
                        method, group, "recoverWithin", "a slot which nobody ran need not be a missed one");
            }
            if (isFenced(method) || isFenced(method.getDeclaringClass())) {
                throw notOnePerProcess(
                        method,
                        group,
                        "@Fenced",
                        "several leaders write at a time, and no fence is between their tokens");
            }
        }
        return guard;
    }

    /** Whether its writes are fenced by the token of the partition. By name, since the module of fences may be missing. */
    private static boolean isFenced(AnnotatedElement element) {
        MergedAnnotation<?> fenced =
                MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY).get("dev.election.fencing.Fenced");
        return fenced.isPresent() && fenced.getString("election").equals(Election.DEFAULT);
    }

    private static ElectionConfigurationException notOnePerProcess(
            Method method, String group, String attribute, String reason) {
        return PARTITIONED.invalid(
                method,
                "it has " + attribute + ", but election.partitions." + group + ".one-per-process is true, so that "
                        + reason,
                "Remove one of them.");
    }

    private MethodGuard guard(
            AnnotatedElement element,
            MergedAnnotation<?> found,
            String name,
            Supplier<Election> election,
            int partitions) {
        return new MethodGuard(
                name,
                election,
                Otherwise.SKIP,
                found.getEnum("onLoss", OnLoss.class),
                limit(element, found.getString("atMostFor")),
                terms(element, found, partitions));
    }

    /** The name of this node. */
    String node() {
        return elections.get().node();
    }

    private Supplier<Election> election(String name) {
        names.add(name);
        return SingletonSupplier.of(() -> elections.get().get(name));
    }

    private JobTerms terms(AnnotatedElement element, MergedAnnotation<?> found, int partitions) {
        String job = GUARD.resolve(
                placeholders,
                element,
                "job name",
                found.getString("job"),
                "Write a name, or a placeholder whose property is set.");
        boolean ofMethod = element instanceof Method;
        if (!job.isEmpty() && !ofMethod) {
            throw GUARD.invalid(
                    element, "the job name '" + job + "' would be that of each method", "Write it on the method.");
        }
        return new JobTerms(
                job.isEmpty() ? null : job,
                duration(element, "recoverWithin", found.getString("recoverWithin")),
                duration(element, "atLeastFor", found.getString("atLeastFor")),
                found.getEnum("recover", Recover.class),
                found.getBoolean("rerunInterrupted"),
                ofMethod,
                partitions);
    }

    /** Zero is no limit. */
    private @Nullable Duration limit(AnnotatedElement element, String written) {
        Duration limit = duration(element, "atMostFor", written);
        return limit == null || limit.isZero() ? null : limit;
    }

    private @Nullable Duration duration(AnnotatedElement element, String attribute, String written) {
        if (written.isEmpty()) {
            return null;
        }
        try {
            Duration duration = DurationFormatterUtils.detectAndParse(placeholders.apply(written));
            if (!duration.isNegative()) {
                return Election.bounded(duration);
            }
        } catch (IllegalArgumentException invalid) {
            // As below.
        }
        throw GUARD.invalid(
                element,
                attribute + " is '" + written + "', which is no time",
                "Write a time such as 10m or PT10M, 0 to do without " + attribute
                        + ", or a placeholder whose property has such a value.");
    }
}
