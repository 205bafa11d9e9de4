package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.autoconfigure.internal.watch.StuckWork;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health contributor {@code leader}. */
@AutoConfiguration(after = ElectionWatchAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(Elections.class)
public final class ElectionHealthAutoConfiguration {

    @Bean
    @ConditionalOnEnabledHealthIndicator("leader")
    @ConditionalOnMissingBean(name = "leaderHealthIndicator")
    LeaderHealthIndicator leaderHealthIndicator(
            Elections elections, NodeMemory electionNodeMemory, ObjectProvider<StuckWork> stuckWork) {
        return new LeaderHealthIndicator(elections, electionNodeMemory, stuckWork.getIfAvailable());
    }
}
