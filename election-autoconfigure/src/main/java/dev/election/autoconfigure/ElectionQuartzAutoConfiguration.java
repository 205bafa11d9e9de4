package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.lifecycle.WantedElections;
import dev.election.quartz.GuardRules;
import dev.election.quartz.QuartzGuards;
import dev.election.quartz.QuartzObserver;
import dev.election.store.LeaseStore;
import dev.election.store.Logbook;
import dev.election.watch.Impediment;
import dev.election.watch.Impediments;
import java.time.InstantSource;
import org.quartz.Scheduler;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.quartz.autoconfigure.QuartzTransactionManager;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.quartz.SchedulerFactoryBean;
import org.springframework.transaction.PlatformTransactionManager;

/** Guards the jobs of all Quartz schedulers that are beans. Each context guards its own. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnClass({Scheduler.class, SchedulerFactoryBean.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "election.quartz.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionQuartzProperties.class)
@ImportRuntimeHints(ElectionQuartzRuntimeHints.class)
public final class ElectionQuartzAutoConfiguration {

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    QuartzGuards electionQuartzGuards(
            ConfigurableListableBeanFactory beans,
            ObjectProvider<Elections> elections,
            RequiredLogbook logbook,
            ObjectProvider<QuartzObserver> observers,
            ObjectProvider<PlatformTransactionManager> transactions,
            @QuartzTransactionManager ObjectProvider<PlatformTransactionManager> quartzTransactions,
            ElectionQuartzProperties properties) {
        return new QuartzGuards(
                RequiredElections.of(elections, "The application has guarded Quartz schedulers", beans),
                new GuardRules(
                        name -> String.valueOf(beans.resolveEmbeddedValue(name)),
                        properties.groups(),
                        properties.election()),
                properties::choice,
                logbook,
                QuartzObserver.of(observers.orderedStream().toList()),
                new QuartzStoreTransactions(() -> {
                    PlatformTransactionManager own = quartzTransactions.getIfUnique();
                    return own != null ? own : transactions.getIfUnique();
                }),
                properties.recoverWithin(),
                InstantSource.system());
    }

    @Bean
    @ConditionalOnMissingBean(search = SearchStrategy.CURRENT)
    RequiredLogbook electionQuartzLogbook(
            ObjectProvider<Logbook> books,
            ObjectProvider<LeaseStore> stores,
            ObjectProvider<Elections> elections,
            ElectionQuartzProperties properties) {
        return new RequiredLogbook(books, stores, elections, properties.ledger());
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    static SchedulerPostProcessor electionSchedulerPostProcessor(ObjectProvider<QuartzGuards> guards) {
        return new SchedulerPostProcessor(guards::getObject);
    }

    @Bean
    Impediments electionQuartzImpediments(QuartzGuards guards) {
        return election -> guards
                .problem(election)
                .map(found -> new Impediment(
                        "quartz",
                        found.problem().name(),
                        found.action(),
                        found.detail(),
                        found.since(),
                        found.stopsJobs()))
                .stream()
                .toList();
    }

    @Bean
    WantedElections electionsOfQuartzJobs(QuartzGuards guards) {
        return guards::names;
    }
}
