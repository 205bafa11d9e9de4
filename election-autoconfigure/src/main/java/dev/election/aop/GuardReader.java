package dev.election.aop;

import dev.election.ConditionalOnLeader;
import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.OnLoss;
import dev.election.Otherwise;
import java.lang.reflect.AnnotatedElement;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.AopInfrastructureBean;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;
import org.springframework.util.function.SingletonSupplier;

/** Reads guards from annotations, including composed annotations and those of interfaces and superclasses. */
public final class GuardReader implements AopInfrastructureBean {

    private final UnaryOperator<String> placeholders;
    private final Supplier<Elections> elections;
    private final Set<String> names = new ConcurrentSkipListSet<>();

    /**
     * Creates a reader.
     *
     * @param placeholders replaces {@code ${...}} in names
     * @param elections called at the first guarded call, since guarded beans may be created before the elections
     */
    public GuardReader(UnaryOperator<String> placeholders, Supplier<Elections> elections) {
        this.placeholders = placeholders;
        this.elections = elections;
    }

    /** The elections named by the guards that were read so far. */
    public Set<String> names() {
        return names;
    }

    /** Whether the element has a guard. Needs no reader, so that beans without guards are created without one. */
    static boolean marks(AnnotatedElement element) {
        MergedAnnotations found = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        return found.isPresent(LeaderOnly.class) || found.isPresent(ConditionalOnLeader.class);
    }

    @Nullable
    Guard read(AnnotatedElement element) {
        MergedAnnotations found = MergedAnnotations.from(element, SearchStrategy.TYPE_HIERARCHY);
        MergedAnnotation<LeaderOnly> brief = found.get(LeaderOnly.class);
        MergedAnnotation<ConditionalOnLeader> full = found.get(ConditionalOnLeader.class);
        if (brief.isPresent() && (!full.isPresent() || brief.getAggregateIndex() <= full.getAggregateIndex())) {
            return new Guard(
                    election(element, brief.getString(MergedAnnotation.VALUE)),
                    Otherwise.SKIP,
                    brief.getEnum("onLoss", OnLoss.class));
        }
        if (full.isPresent()) {
            return new Guard(
                    election(element, full.getString("election")),
                    full.getEnum("otherwise", Otherwise.class),
                    full.getEnum("onLoss", OnLoss.class));
        }
        return null;
    }

    private Supplier<Election> election(AnnotatedElement element, String written) {
        String name = resolve(element, written);
        names.add(name);
        return SingletonSupplier.of(() -> elections.get().get(name));
    }

    private String resolve(AnnotatedElement element, String written) {
        String action = "Write a name of 1 to 64 of A-Z a-z 0-9 . _ : - or a placeholder whose property is set.";
        String name;
        try {
            name = placeholders.apply(written);
        } catch (IllegalArgumentException unresolved) {
            throw new UnguardableMethodException(
                    element, "there is no value for the election name '" + written + "'", action);
        }
        if (!Election.isName(name)) {
            throw new UnguardableMethodException(element, "'" + name + "' is not a valid election name", action);
        }
        return name;
    }
}
