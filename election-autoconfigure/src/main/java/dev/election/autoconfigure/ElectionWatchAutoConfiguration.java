package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.LeaderWork;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.OutlastingWork;
import dev.election.autoconfigure.internal.watch.RunningCalls;
import dev.election.autoconfigure.internal.watch.StuckWork;
import dev.election.spring.internal.guard.CallObserver;
import dev.election.spring.internal.guard.Stopping;
import dev.election.store.LeaseStore;
import dev.election.support.ReadableDuration;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;

/** Records the status of the elections for the endpoint, health and metrics. */
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
    CallObserver electionOutlastingWorkObserver(OutlastingWork outlasting) {
        return new CallObserver() {
            @Override
            public LeaderWork begun(String election, Method method, LeaderWork work) {
                return outlasting.watch(election, nameOf(method), work);
            }
        };
    }

    /** Elections of the application's own may have no such store. */
    static String location(@Nullable LeaseStore store) {
        return store == null ? "unknown" : store.location();
    }

    private static String nameOf(Method method) {
        return method.getDeclaringClass().getSimpleName() + "." + method.getName();
    }

    /** Calls that run for too long. Each call is registered only if it is configured: that has a small cost at each call. */
    @Configuration(proxyBeanMethods = false)
    static final class StuckWorkConfiguration {

        @Bean
        @ConditionalOnMissingBean
        RunningCalls electionRunningCalls() {
            return new RunningCalls();
        }

        @Bean
        @ConditionalOnProperty("election.health.stuck-work-after")
        CallObserver electionRunningCallsObserver(RunningCalls calls) {
            return new CallObserver() {
                @Override
                public LeaderWork begun(String election, Method method, LeaderWork work) {
                    return calls.watch(election, nameOf(method), work);
                }
            };
        }

        @Bean
        CallObserver electionLimitedCallsObserver(StuckWork stuck) {
            return new CallObserver() {
                @Override
                public LeaderWork limited(
                        String election, Method method, Duration atMost, Supplier<Stopping> stop, LeaderWork work) {
                    return stuck.limit(
                            election, nameOf(method), atMost, () -> stop.get().text(), work);
                }
            };
        }

        @Bean
        @Lazy(false)
        @ConditionalOnMissingBean
        StuckWork electionStuckWork(Elections elections, RunningCalls calls, ElectionProperties properties) {
            Duration bound = properties.health().stuckWorkAfter();
            if (bound != null && (bound.isNegative() || bound.isZero())) {
                throw ElectionConfigurationException.ofProperty(
                        "election.health.stuck-work-after",
                        "The time must be longer than zero, but is " + ReadableDuration.of(bound));
            }
            StuckWork work = new StuckWork(elections, calls, bound);
            if (properties.health().abdicateWhenStuck()) {
                work.abdicateWhenStuck();
            } else {
                work.warnWhenStuck();
            }
            return work;
        }
    }
}
