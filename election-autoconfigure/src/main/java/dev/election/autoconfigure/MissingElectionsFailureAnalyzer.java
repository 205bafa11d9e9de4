package dev.election.autoconfigure;

import dev.election.Elections;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/** Says why there are no {@link Elections} to inject: the application has switched them off, or nothing keeps leases. */
final class MissingElectionsFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException>
        implements Ordered {

    private final BeanFactory beans;
    private final Environment environment;

    MissingElectionsFailureAnalyzer(BeanFactory beans, Environment environment) {
        this.beans = beans;
        this.environment = environment;
    }

    /** Before Spring Boot's own, which knows of the missing bean only. */
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
                + " needs Elections, and there are none because ";
        if (!environment.getProperty("election.enabled", Boolean.class, true)) {
            return new FailureAnalysis(
                    problem + "election.enabled is false.",
                    "Remove election.enabled=false, or let the application do without: inject ObjectProvider<Elections>, or make"
                            + " the bean conditional with @ConditionalOnBooleanProperty(name = \"election.enabled\","
                            + " matchIfMissing = true).",
                    cause);
        }
        if (!(beans instanceof ListableBeanFactory context)) {
            return null;
        }
        MissingStore store = MissingStore.in(context);
        return new FailureAnalysis(problem + "nothing keeps leases: " + store.why() + ".", store.action(), cause);
    }
}
