package dev.election.autoconfigure.internal;

import dev.election.ElectionConfigurationException;
import dev.election.autoconfigure.internal.watch.HealthQuestions;
import dev.election.spring.lifecycle.Readiness;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.health.contributor.CompositeHealthContributor;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthContributor;
import org.springframework.boot.health.contributor.HealthContributors;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.Ordered;

/** Asks the named health contributors from when the application is ready until it stops. Fails the start over a name that none of them has. */
public final class HealthReport
        implements SmartInitializingSingleton, ApplicationListener<ApplicationEvent>, DisposableBean, Ordered {

    private final Readiness readiness;
    private final List<String> names;
    private final Supplier<HealthContributorRegistry> contributors;
    private final HealthQuestions questions;

    /** Guarded by this. */
    private boolean isStarted;

    /**
     * Creates it.
     *
     * @param readiness of the context
     * @param names of the contributors
     * @param contributors of the application; called when all singletons have been created
     * @param listener receives the names of those that are down
     */
    public HealthReport(
            Readiness readiness,
            List<String> names,
            Supplier<HealthContributorRegistry> contributors,
            HealthQuestions.ResultListener listener) {
        this.readiness = readiness;
        this.names = List.copyOf(names);
        this.contributors = contributors;
        this.questions = new HealthQuestions(this::down, listener);
    }

    @Override
    public void afterSingletonsInstantiated() {
        HealthContributors all = contributors.get();
        List<String> unknown = new ArrayList<>(names);
        unknown.removeIf(name -> all.getContributor(name) != null);
        if (!unknown.isEmpty()) {
            String known = all.stream()
                    .map(HealthContributors.Entry::name)
                    .collect(Collectors.toCollection(TreeSet::new))
                    .toString();
            throw ElectionConfigurationException.ofProperty(
                    "election.abdicate-when-down",
                    "No health contributor has the name " + String.join(", ", unknown) + ". There are " + known);
        }
    }

    @Override
    public synchronized void onApplicationEvent(ApplicationEvent event) {
        if (!isStarted && readiness.isToldBy(event)) {
            isStarted = true;
            questions.start();
        }
    }

    /** Before the elections start, so that the first answer is there early. */
    @Override
    public int getOrder() {
        return LOWEST_PRECEDENCE - 2;
    }

    @Override
    public void destroy() {
        questions.close();
    }

    /** The names of the contributors that are down, {@code null} if none is. */
    private @Nullable String down() {
        String down = names.stream()
                .filter(name -> isDown(contributors.get().getContributor(name)))
                .collect(Collectors.joining(", "));
        return down.isEmpty() ? null : down;
    }

    private static boolean isDown(@Nullable HealthContributor contributor) {
        if (contributor instanceof HealthIndicator indicator) {
            return isDown(indicator);
        }
        return contributor instanceof CompositeHealthContributor composite
                && composite.stream().anyMatch(part -> isDown(part.contributor()));
    }

    private static boolean isDown(HealthIndicator indicator) {
        Status status;
        try {
            Health health = indicator.health();
            status = health == null ? Status.UNKNOWN : health.getStatus();
        } catch (RuntimeException failure) {
            return true;
        }
        return status.equals(Status.DOWN) || status.equals(Status.OUT_OF_SERVICE);
    }
}
