package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.store.MissingStore;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/** Explains why there is no {@link Elections} bean to inject: the elections are disabled, or there is no lease store. */
final class MissingElectionsFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException>
        implements Ordered {

    private final BeanFactory beans;
    private final Environment environment;

    MissingElectionsFailureAnalyzer(BeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /** Before the analyzer of Spring Boot, which only reports that the bean is missing. */
    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(
            Throwable rootFailure, NoSuchBeanDefinitionException cause, @Nullable String description) {
        ResolvableType missing = cause.getResolvableType();
        if (missing == null || missing.resolve() != Elections.class || cause.getNumberOfBeansFound() > 0) {
            return null;
        }
        String problem = (description != null ? description : "The application")
                + " needs a bean of type Elections, and there is none because ";
        if (!environment.getProperty("election.enabled", Boolean.class, true)) {
            return new FailureAnalysis(
                    problem + "election.enabled is false.",
                    "Remove election.enabled=false, or make the dependency optional: inject ObjectProvider<Elections>, or make"
                            + " the bean conditional with @ConditionalOnBooleanProperty(name = \"election.enabled\","
                            + " matchIfMissing = true).",
                    cause);
        }
        if (!(beans instanceof ListableBeanFactory context)) {
            return null;
        }
        MissingStore store = MissingStore.in(context);
        return new FailureAnalysis(problem + "there is no lease store: " + store.why() + ".", store.action(), cause);
    }
}
