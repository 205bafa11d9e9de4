package dev.election.quartz.internal.rules;

import dev.election.ConditionalOnLeader;
import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import dev.election.OnLoss;
import dev.election.Partitioned;
import dev.election.quartz.EveryNode;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDataMap;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.ReflectionUtils;

/**
 * Rules that say which election guards a job: the one that its class names by {@link LeaderOnly}, else its data, else its group, else the
 * one that guards all others. Each of them may say that the job runs on every node instead.
 */
public final class GuardRules {

    private static final List<String> INEFFECTIVE =
            List.of("job", "recoverWithin", "recover", "rerunInterrupted", "atLeastFor", "atMostFor", "otherwise");

    private static final String NAME =
            "Write a name of 1 to 64 of A-Z a-z 0-9 . _ : -, a placeholder whose property is set, or * for every node.";

    private final UnaryOperator<String> placeholders;
    private final Map<String, String> groups;
    private final String otherwise;
    private final Map<Class<?>, Marked> marks = new ConcurrentHashMap<>();

    /**
     * Creates the rules.
     *
     * @param placeholders replaces {@code ${...}} in names
     * @param groups the elections of job groups, or {@link QuartzData#EVERY_NODE}
     * @param otherwise the election of all other jobs, or {@link QuartzData#EVERY_NODE}
     */
    public GuardRules(UnaryOperator<String> placeholders, Map<String, String> groups, String otherwise) {
        this.placeholders = placeholders;
        this.groups = Map.copyOf(groups);
        this.otherwise = otherwise;
    }

    /**
     * The guard of a job, {@code null} if it runs on every node.
     *
     * @param type its class
     * @param data its data, with those of the trigger
     * @param group its group
     * @throws ElectionConfigurationException if what is written there is no name of an election, or the guard of the
     *     class says what has no effect on a job
     */
    @Nullable
    JobGuard of(Class<?> type, JobDataMap data, String group) {
        Marked mark = marks.computeIfAbsent(type, GuardRules::read);
        if (mark.election() != null) {
            return guard(mark.election(), mark.onLoss(), "the class " + type.getName());
        }
        Object named = data.get(QuartzData.ELECTION);
        if (named != null) {
            return guard(named.toString(), OnLoss.CONTINUE, "the data of a job of " + type.getName());
        }
        return ofGroup(group);
    }

    /**
     * The elections that groups name. Not the one of all other jobs: there may be none.
     *
     * @throws ElectionConfigurationException if what is written for a group or for all other jobs is no name of an election
     */
    Set<String> ofGroups() {
        JobGuard unused = ofOthers();
        Set<String> names = new TreeSet<>();
        groups.keySet().forEach(group -> {
            JobGuard guard = ofGroup(group);
            if (guard != null) {
                names.add(guard.election());
            }
        });
        return names;
    }

    private @Nullable JobGuard ofGroup(String group) {
        String named = groups.get(group);
        return named == null ? ofOthers() : guard(named, OnLoss.CONTINUE, "election.quartz.groups." + group);
    }

    private @Nullable JobGuard ofOthers() {
        return guard(otherwise, OnLoss.CONTINUE, "election.quartz.election");
    }

    private @Nullable JobGuard guard(String written, OnLoss onLoss, String where) {
        String name;
        try {
            name = placeholders.apply(written);
        } catch (IllegalArgumentException unresolved) {
            throw new ElectionConfigurationException(
                    "There is no value for the election name '" + written + "' of " + where, NAME);
        }
        if (name.equals(QuartzData.EVERY_NODE)) {
            return null;
        }
        if (!Election.isName(name)) {
            throw new ElectionConfigurationException(
                    "'" + name + "', written in " + where + ", is no name of an election", NAME);
        }
        return new JobGuard(name, onLoss);
    }

    /**
     * Reads the nearest annotation of a class. Of two on the same class the guard counts: a job that runs too seldom is noticed, one that
     * runs twice does harm.
     */
    private static Marked read(Class<?> type) {
        ReflectionUtils.doWithMethods(type, GuardRules::rejectPartitioned, method -> MergedAnnotations.from(method)
                .isPresent(Partitioned.class));
        MergedAnnotations found = MergedAnnotations.from(type, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotation<LeaderOnly> brief = found.get(LeaderOnly.class);
        MergedAnnotation<ConditionalOnLeader> full = found.get(ConditionalOnLeader.class);
        MergedAnnotation<EveryNode> free = found.get(EveryNode.class);
        Marked mark = Marked.NOT;
        MergedAnnotation<?> counts = MergedAnnotation.missing();
        int nearest = Integer.MAX_VALUE;
        if (brief.isPresent()) {
            nearest = brief.getAggregateIndex();
            counts = brief;
            mark = new Marked(brief.getString(MergedAnnotation.VALUE), brief.getEnum("onLoss", OnLoss.class));
        }
        if (full.isPresent() && full.getAggregateIndex() < nearest) {
            nearest = full.getAggregateIndex();
            counts = full;
            mark = new Marked(full.getString("election"), full.getEnum("onLoss", OnLoss.class));
        }
        if (free.isPresent() && free.getAggregateIndex() < nearest) {
            return new Marked(QuartzData.EVERY_NODE, OnLoss.CONTINUE);
        }
        rejectIneffective(type, counts);
        return mark;
    }

    private static void rejectPartitioned(Method method) {
        throw new ElectionConfigurationException(
                "@Partitioned on " + method + " has no effect on a Quartz job",
                "Put it on a @Scheduled method of a bean, or call PartitionGroup.runIfHeld in the job.");
    }

    /** Fails if the guard has settings that take effect on calls of methods only. */
    private static void rejectIneffective(Class<?> type, MergedAnnotation<?> guard) {
        List<String> ineffective = INEFFECTIVE.stream()
                .filter(name -> guard.isPresent() && guard.getValue(name).isPresent() && guard.hasNonDefaultValue(name))
                .toList();
        if (!ineffective.isEmpty()) {
            throw new ElectionConfigurationException(
                    "The guard of the class " + type.getName() + " sets " + String.join(", ", ineffective)
                            + ", which has no effect on a Quartz job",
                    "Remove it from the class. Which missed firings of Quartz jobs are run late says"
                            + " election.quartz.recover-within; for the rest, let the job call a guarded method of a"
                            + " bean.");
        }
    }

    private record Marked(@Nullable String election, OnLoss onLoss) {
        private static final Marked NOT = new Marked(null, OnLoss.CONTINUE);
    }
}
