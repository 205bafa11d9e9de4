package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.internal.MemberUse;
import dev.election.autoconfigure.internal.checks.Doctor;
import dev.election.autoconfigure.internal.checks.GuardedMethodsCheck;
import dev.election.autoconfigure.internal.checks.PropertiesCheck;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.Impediment;
import dev.election.autoconfigure.internal.watch.Impediments;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.autoconfigure.internal.watch.OutlastingWork;
import dev.election.autoconfigure.internal.watch.StuckWork;
import dev.election.partitions.Partitions;
import dev.election.spring.Candidacy;
import dev.election.spring.bound.LeaderBoundRegistry;
import dev.election.spring.calls.OverdueWork;
import dev.election.spring.guard.LeaderGuardPostProcessor;
import dev.election.spring.lifecycle.ElectionLifecycle;
import dev.election.store.LeaseStore;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;
import org.springframework.context.annotation.Role;
import org.springframework.scheduling.config.TaskManagementConfigUtils;

/**
 * Records the status of the elections for the endpoint, health and metrics, watches the work under their leaderships, and checks the
 * application after its start.
 */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(Elections.class)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionWatchAutoConfiguration {

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "electionWatch")
    ElectionWatch electionWatch(ElectionProperties properties) {
        return new ElectionWatch(properties::lease);
    }

    @Bean
    @Role(BeanDefinition.ROLE_INFRASTRUCTURE)
    @ConditionalOnMissingBean(name = "electionOutlastingWork")
    OutlastingWork electionOutlastingWork() {
        return new OutlastingWork();
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(name = "electionStuckWork")
    StuckWork electionStuckWork(
            Elections elections, ElectionProperties properties, ObjectProvider<LeaderGuardPostProcessor> guards) {
        Duration bound = properties.health().stuckWorkAfter();
        if (bound != null && (bound.isNegative() || bound.isZero())) {
            throw ElectionConfigurationException.ofProperty(
                    "election.health.stuck-work-after",
                    "The time must be longer than zero, but is " + ReadableDuration.of(bound));
        }
        StuckWork work = new StuckWork(
                elections,
                bound,
                guards.stream()
                        .map(LeaderGuardPostProcessor::overdueWork)
                        .findFirst()
                        .orElseGet(() -> new OverdueWork(elections::node)));
        if (properties.health().abdicateWhenStuck()) {
            work.abdicateWhenStuck();
        } else {
            work.warnWhenStuck();
        }
        return work;
    }

    @Bean
    @Lazy(false)
    @ConditionalOnMissingBean(name = "electionDoctor")
    Doctor electionDoctor(
            ApplicationContext context,
            ObjectProvider<Check> checks,
            ElectionProperties properties,
            ElectionWatch electionWatch) {
        List<Check> own = ownChecks(context, properties);
        return new Doctor(
                context,
                () -> Stream.concat(own.stream(), checks.orderedStream()).toList(),
                electionWatch::hasIncident);
    }

    /** The checks that need no module but this one. */
    static List<Check> ownChecks(ApplicationContext context, ElectionProperties properties) {
        ObjectProvider<LeaderGuardPostProcessor> guards = context.getBeanProvider(LeaderGuardPostProcessor.class);
        return List.of(
                new GuardedMethodsCheck(
                        action -> guards.ifAvailable(found -> found.forEachGuarded(action)),
                        properties.startup().candidacy() == Candidacy.AFTER_RUNNERS,
                        context.containsBean(TaskManagementConfigUtils.SCHEDULED_ANNOTATION_PROCESSOR_BEAN_NAME)),
                new PropertiesCheck(context, properties.withoutEffect()));
    }

    /**
     * Lazy: created with what shows it. The lifecycle is asked for by a provider, so that those beans do not depend on it: Spring destroys the
     * lifecycle before all beans on which it depends, and would destroy them even earlier. Elections of the application's own may have no store.
     */
    @Bean
    @Lazy
    @ConditionalOnMissingBean(name = "electionNodeMemory")
    NodeMemory electionNodeMemory(
            ElectionWatch electionWatch,
            ObjectProvider<Impediments> impediments,
            ObjectProvider<LeaderBoundRegistry> electionLeaderBoundRegistry,
            ObjectProvider<LeaseStore> electionLeaseStore,
            BeanFactory beans) {
        ObjectProvider<ElectionLifecycle> lifecycle = beans.getBeanProvider(ElectionLifecycle.class);
        ObjectProvider<MemberUse> members = beans.getBeanProvider(MemberUse.class);
        ObjectProvider<Partitions> partitions = beans.getBeanProvider(Partitions.class);
        LeaseStore known = electionLeaseStore.getIfAvailable();
        return new NodeMemory(
                electionWatch,
                Stream.concat(
                                Stream.ofNullable(electionLeaderBoundRegistry.getIfAvailable())
                                        .map(ElectionWatchAutoConfiguration::notStarted),
                                impediments.orderedStream())
                        .toList(),
                () -> lifecycle.stream().findFirst().flatMap(ElectionLifecycle::pendingStart),
                () -> members.stream().findFirst().flatMap(MemberUse::members),
                () -> partitions.stream().findFirst().map(Partitions::all).orElse(List.of()),
                known == null ? "unknown" : known.location());
    }

    private static Impediments notStarted(LeaderBoundRegistry registry) {
        return election -> registry.failedStarts(election).stream()
                .map(failed -> new Impediment(
                        "bean." + failed.bean(),
                        "NOT_STARTED",
                        "Fix the cause of the failed start. The start is retried while this node leads."
                                + " Abdicate to let another node try.",
                        failed.reason(),
                        failed.since(),
                        true))
                .toList();
    }
}
