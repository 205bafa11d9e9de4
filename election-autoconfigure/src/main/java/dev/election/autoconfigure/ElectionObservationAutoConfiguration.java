package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.internal.observation.ObservedCalls;
import io.micrometer.observation.ObservationRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/**
 * Adds guarded calls to the observations of the application. The beans take providers only: Spring Boot creates them with the registry,
 * which may be early.
 */
@AutoConfiguration(
        after = ElectionAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass(ObservationRegistry.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean({Elections.class, ObservationRegistry.class})
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionObservationAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "electionObservedCalls")
    static ObservedCalls electionObservedCalls(
            ObjectProvider<ObservationRegistry> registry, ObjectProvider<ElectionProperties> properties) {
        return new ObservedCalls(
                SingletonSupplier.of(registry::getObject),
                SingletonSupplier.of(() -> properties.getObject().partitions().keySet()));
    }
}
