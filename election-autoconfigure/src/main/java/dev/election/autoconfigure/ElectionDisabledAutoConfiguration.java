package dev.election.autoconfigure;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** Warns at the start if elections are disabled, so that nothing is guarded. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "election.enabled", havingValue = false)
public final class ElectionDisabledAutoConfiguration {

    private static final Logger log = LoggerFactory.getLogger(ElectionDisabledAutoConfiguration.class);

    @Bean
    @Lazy(false)
    InitializingBean electionDisabledWarning() {
        return () -> log.warn(
                "election.enabled is false: leader-only methods and Quartz jobs run on EVERY replica of this application");
    }
}
