package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.OutlastingWork;
import dev.election.autoconfigure.internal.watch.StuckWork;
import dev.election.store.LeaseStore;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/** Records the status of the elections for the endpoint, health and metrics, and watches the work under their leaderships. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(Elections.class)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionWatchAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    ElectionWatch electionWatch() {
        return new ElectionWatch();
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean
    OutlastingWork electionOutlastingWork() {
        return new OutlastingWork();
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean
    StuckWork electionStuckWork(Elections elections, ElectionProperties properties) {
        Duration bound = properties.health().stuckWorkAfter();
        if (bound != null && (bound.isNegative() || bound.isZero())) {
            throw ElectionConfigurationException.ofProperty(
                    "election.health.stuck-work-after",
                    "The time must be longer than zero, but is " + ReadableDuration.of(bound));
        }
        StuckWork work = new StuckWork(elections, bound);
        if (properties.health().abdicateWhenStuck()) {
            work.abdicateWhenStuck();
        } else {
            work.warnWhenStuck();
        }
        return work;
    }

    /** Elections of the application's own may have no such store. */
    static String location(@Nullable LeaseStore store) {
        return store == null ? "unknown" : store.location();
    }
}
