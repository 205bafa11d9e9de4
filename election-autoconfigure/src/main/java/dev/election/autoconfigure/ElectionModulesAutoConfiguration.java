package dev.election.autoconfigure;

import dev.election.autoconfigure.internal.MissingModules;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.core.env.ConfigurableEnvironment;

/** Refuses to start where the application uses a module that is not on the class path. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
public final class ElectionModulesAutoConfiguration {

    @Bean
    @Lazy(false)
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static MissingModules electionMissingModules(
            ConfigurableListableBeanFactory beans, ConfigurableEnvironment environment) {
        return new MissingModules(beans, environment);
    }
}
