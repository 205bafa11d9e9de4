package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.autoconfigure.internal.MissingModules;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.ConfigurableEnvironment;

/** Fails the start if guards would have no effect and nothing would say so. Warns if elections are disabled. */
@AutoConfiguration
public final class ElectionPreconditionsAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(ElectionPreconditionsAutoConfiguration.class);

    private static final List<String> SWITCHES = List.of("election.enabled", "election.quartz.enabled");

    @Bean
    static Preconditions electionPreconditions(ConfigurableEnvironment environment) {
        return new Preconditions(environment);
    }

    @Bean
    @Lazy(false)
    @ConditionalOnBooleanProperty(name = "election.enabled", havingValue = false)
    static InitializingBean electionDisabledWarning() {
        return () -> log.warn(
                "election.enabled is false: leader-only methods and Quartz jobs run on EVERY replica of this application");
    }

    /** Checks the line of Spring Boot and the switches before beans are created, and the modules when all singletons have been. */
    static final class Preconditions implements BeanFactoryPostProcessor, SmartInitializingSingleton {

        private final ConfigurableEnvironment environment;
        private @Nullable MissingModules modules;

        Preconditions(ConfigurableEnvironment environment) {
            this.environment = environment;
        }

        /**
         * With an older Spring Boot the conditions of the other auto-configurations do not match, and they take a switch that is neither true
         * nor false for false.
         */
        @Override
        public void postProcessBeanFactory(ConfigurableListableBeanFactory beans) {
            requireLine(SpringBootVersion.getVersion());
            SWITCHES.forEach(name -> requireSwitch(name, environment.getProperty(name)));
            if (environment.getProperty("election.enabled", Boolean.class, true)) {
                modules = new MissingModules(beans, environment);
            }
        }

        @Override
        public void afterSingletonsInstantiated() {
            if (modules != null) {
                modules.refuse();
            }
        }
    }

    static void requireLine(String version) {
        if (BootLineFailureAnalyzer.isTooOld(version)) {
            throw BootLineFailureAnalyzer.tooOld(version);
        }
    }

    private static void requireSwitch(String name, @Nullable String value) {
        if (value != null && !value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw ElectionConfigurationException.ofProperty(
                    name, name + " must be true or false, but is '" + value + "'");
        }
    }
}
