package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.store.MissingStore;
import dev.election.autoconfigure.store.RequiredElections;
import dev.election.spring.bound.LeaderBoundLifecycleRegistrar;
import dev.election.spring.bound.LeaderBoundRegistry;
import dev.election.spring.calls.CallObserver;
import dev.election.spring.calls.JobGate;
import dev.election.spring.guard.GuardReader;
import dev.election.spring.guard.GuardedElsewhere;
import dev.election.spring.guard.LeaderGuardPostProcessor;
import dev.election.spring.guard.LeaderGuardPrecedence;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.LazyInitializationExcludeFilter;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/**
 * Guards the methods of beans, and starts and stops leader-only lifecycle beans with leadership and not with the context. Each context has
 * its own post-processors, since those of a parent don't see its beans. All bean methods for post-processors are static and take providers
 * only: a bean that a post-processor depends on would not be processed itself.
 */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ElectionProperties.class, LifecycleProperties.class})
public final class ElectionAopAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "electionGuardReader", search = SearchStrategy.CURRENT)
    static GuardReader electionGuardReader(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            ObjectProvider<ElectionProperties> properties) {
        return new GuardReader(
                name -> String.valueOf(beans.resolveEmbeddedValue(name)),
                RequiredElections.of(elections, "The application has leader guards", beans),
                properties.getObject().counts(),
                properties.getObject().onePerProcess());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "electionLeaderGuardPostProcessor", search = SearchStrategy.CURRENT)
    static LeaderGuardPostProcessor electionLeaderGuardPostProcessor(
            ObjectProvider<GuardReader> electionGuardReader,
            ObjectProvider<GuardedElsewhere> elsewhere,
            ObjectProvider<CallObserver> observers,
            ObjectProvider<JobGate> electionScheduledJobs) {
        return new LeaderGuardPostProcessor(
                electionGuardReader::getObject,
                type -> elsewhere.stream().anyMatch(other -> other.isGuardedElsewhere(type)),
                SingletonSupplier.of(
                        () -> CallObserver.of(observers.orderedStream().toList())),
                SingletonSupplier.of(() -> electionScheduledJobs.getIfAvailable(() -> JobGate.NONE)));
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "electionLeaderGuardPrecedence", search = SearchStrategy.CURRENT)
    static LeaderGuardPrecedence electionLeaderGuardPrecedence() {
        return new LeaderGuardPrecedence();
    }

    /** Guarded beans are created at the start also in a lazy application: to join their elections, and to report invalid guards. */
    @Bean
    static LazyInitializationExcludeFilter electionGuardedBeansAreMadeAtTheStart() {
        return (name, definition, type) -> type != null && LeaderGuardPostProcessor.isGuarded(type);
    }

    /** Fails at startup, and not at the first call, if there are guards but no elections. */
    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(Elections.class)
    static SmartInitializingSingleton electionGuardsWithoutElections(
            GuardReader reader, ConfigurableListableBeanFactory beans) {
        return () -> {
            if (!reader.names().isEmpty()) {
                throw MissingStore.failure(
                        "The application has leader guards for the elections " + reader.names(), beans);
            }
        };
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(name = "electionLeaderBoundRegistry", search = SearchStrategy.CURRENT)
    LeaderBoundRegistry electionLeaderBoundRegistry(
            ApplicationContext context,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            ElectionProperties properties,
            LifecycleProperties lifecycle) {
        return new LeaderBoundRegistry(
                ElectionParticipationAutoConfiguration.readiness(context, properties),
                beans,
                RequiredElections.of(elections, "The application has leader-only beans", beans),
                properties.shutdown().await(),
                lifecycle.getTimeoutPerShutdownPhase(),
                properties.giveUpOnFailedStart());
    }

    /** Decides when all bean definitions are registered. */
    @Bean
    static LeaderBoundLifecycleRegistrar electionLeaderBoundLifecycleRegistrar() {
        return new LeaderBoundLifecycleRegistrar();
    }
}
