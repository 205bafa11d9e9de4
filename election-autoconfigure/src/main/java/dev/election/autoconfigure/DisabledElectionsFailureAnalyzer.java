package dev.election.autoconfigure;

import dev.election.Elections;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.NoSuchBeanDefinitionException;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.analyzer.AbstractInjectionFailureAnalyzer;
import org.springframework.core.Ordered;
import org.springframework.core.ResolvableType;
import org.springframework.core.env.Environment;

/** Says why there are no {@link Elections} to inject in an application that has switched them off. */
final class DisabledElectionsFailureAnalyzer extends AbstractInjectionFailureAnalyzer<NoSuchBeanDefinitionException>
        implements Ordered {

    private final Environment environment;

    DisabledElectionsFailureAnalyzer(Environment environment) {
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
        boolean none = missing != null && missing.resolve() == Elections.class && cause.getNumberOfBeansFound() == 0;
        if (!none || environment.getProperty("election.enabled", Boolean.class, true)) {
            return null;
        }
        String injected = description != null ? description : "The application";
        return new FailureAnalysis(
                injected + " needs Elections, and there are none because election.enabled is false.",
                "Remove election.enabled=false, or let the application do without: inject ObjectProvider<Elections>, or make the"
                        + " bean conditional with @ConditionalOnBooleanProperty(name = \"election.enabled\","
                        + " matchIfMissing = true).",
                cause);
    }
}
