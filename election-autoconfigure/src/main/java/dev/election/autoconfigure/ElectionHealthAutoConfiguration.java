package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.autoconfigure.internal.HealthReport;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.autoconfigure.internal.watch.StuckWork;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.OnPropertyListCondition;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.registry.HealthContributorRegistry;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;

/** The health contributor {@code leader}, and what other contributors say to the elections. */
@AutoConfiguration(after = ElectionWatchAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, HealthContributorRegistry.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
// Where there are elections. By name, since a condition on a type asks each bean for its type.
@ConditionalOnBean(name = "electionNodeMemory")
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionHealthAutoConfiguration {

    @Bean
    @ConditionalOnEnabledHealthIndicator("leader")
    @ConditionalOnMissingBean(name = "leaderHealthIndicator")
    LeaderHealthIndicator leaderHealthIndicator(
            Elections elections, NodeMemory electionNodeMemory, ObjectProvider<StuckWork> electionStuckWork) {
        return new LeaderHealthIndicator(elections, electionNodeMemory, electionStuckWork.getIfAvailable());
    }

    /** Tells the elections whether this process is up, where {@code election.abdicate-when-down} names health contributors. */
    @Bean
    @Lazy(false)
    @ConditionalOnBean(value = ElectionEngine.class, search = SearchStrategy.CURRENT)
    @Conditional(OnNames.class)
    HealthReport electionHealthReport(
            ApplicationContext context,
            ObjectProvider<ElectionEngine> engine,
            ElectionProperties properties,
            ObjectProvider<HealthContributorRegistry> contributors) {
        ElectionEngine known = engine.getIfAvailable();
        return new HealthReport(
                ElectionParticipationAutoConfiguration.readiness(context, properties),
                properties.abdicateWhenDown(),
                () -> contributors.stream()
                        .findFirst()
                        .orElseThrow(() -> ElectionConfigurationException.ofProperty(
                                ElectionProperties.ABDICATE_WHEN_DOWN,
                                "It names health contributors, but the application has no HealthContributorRegistry")),
                known == null ? (problem, askedAt) -> {} : known::reportHealth);
    }

    /** Whether the property names any health contributor. */
    static final class OnNames extends OnPropertyListCondition {

        OnNames() {
            super(
                    ElectionProperties.ABDICATE_WHEN_DOWN,
                    () -> ConditionMessage.forCondition(ElectionProperties.ABDICATE_WHEN_DOWN));
        }
    }
}
