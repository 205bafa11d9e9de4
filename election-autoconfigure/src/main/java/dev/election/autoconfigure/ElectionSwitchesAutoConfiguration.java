package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanFactoryPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Rejects switches that are neither true nor false: conditions would treat them as false and disable guards without a message. */
@AutoConfiguration
public final class ElectionSwitchesAutoConfiguration {

    private static final List<String> SWITCHES =
            List.of("election.enabled", "election.quartz.enabled", "election.doctor.enabled");

    @Bean
    static BeanFactoryPostProcessor electionSwitchesCheck(Environment environment) {
        return beans -> SWITCHES.forEach(name -> check(name, environment.getProperty(name)));
    }

    private static void check(String name, @Nullable String value) {
        if (value != null && !value.equalsIgnoreCase("true") && !value.equalsIgnoreCase("false")) {
            throw ElectionConfigurationException.ofProperty(
                    name, name + " must be true or false, but is '" + value + "'");
        }
    }
}
