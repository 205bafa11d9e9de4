package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.aop.CallObserver;
import dev.election.aop.GuardReader;
import dev.election.aop.GuardedElsewhere;
import dev.election.aop.LeaderGuardPostProcessor;
import dev.election.aop.LeaderGuardPrecedence;
import dev.election.aop.MissedBeansCheck;
import org.quartz.Job;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.util.function.SingletonSupplier;

/**
 * Guards the methods of beans. Each context has processors of its own, since those of a parent don't see its beans. Everything
 * here is static and wants providers only: a processor that needs other beans would keep those from being processed.
 */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionAopAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static GuardReader electionGuardReader(ConfigurableListableBeanFactory beans, ObjectProvider<Elections> elections) {
        return new GuardReader(
                name -> String.valueOf(beans.resolveEmbeddedValue(name)),
                RequiredElections.of(elections, "There are leader guards", beans));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static LeaderGuardPostProcessor electionLeaderGuardPostProcessor(
            ObjectProvider<GuardReader> reader,
            ObjectProvider<ElectionProperties> properties,
            ObjectProvider<GuardedElsewhere> elsewhere,
            ObjectProvider<CallObserver> observers) {
        return new LeaderGuardPostProcessor(
                reader::getObject,
                () -> properties.getObject().startup().awaitResult(),
                type -> elsewhere.stream().anyMatch(other -> other.isGuardedElsewhere(type)),
                SingletonSupplier.of(
                        () -> CallObserver.of(observers.orderedStream().toList())));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static LeaderGuardPrecedence electionLeaderGuardPrecedence() {
        return new LeaderGuardPrecedence();
    }

    /** Their elections are joined at the start, and a guard that can't work is told then, in a lazy application too. */
    @Bean
    static LazyInitializationExcludeFilter electionGuardedBeansAreMadeAtTheStart() {
        return (name, definition, type) -> type != null && LeaderGuardPostProcessor.isGuarded(type);
    }

    /** Spring only logs that such a bean is not eligible for getting processed. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    static MissedBeansCheck electionMissedBeansCheck(
            ConfigurableListableBeanFactory beans, LeaderGuardPostProcessor guards) {
        return new MissedBeansCheck(beans, guards);
    }

    /** Fails at startup, and not at the first call, if nothing can decide who leads. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(Elections.class)
    static SmartInitializingSingleton electionGuardsWithoutElections(
            GuardReader reader, ConfigurableListableBeanFactory beans) {
        return () -> {
            if (!reader.names().isEmpty()) {
                throw new NoElectionsException("There are leader guards for " + reader.names(), beans);
            }
        };
    }

    /** A job that was skipped counts as fired. Its scheduler keeps the guard; where that is switched off, nobody does. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({Job.class, SchedulerFactoryBean.class})
    static final class QuartzConfiguration {

        @Bean
        @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
        static GuardedElsewhere quartzJobsAreGuardedByTheirScheduler() {
            return Job.class::isAssignableFrom;
        }
    }
}
