package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.internal.MemberUse;
import dev.election.autoconfigure.internal.actuate.LeaderHealthIndicator;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.Impediments;
import dev.election.autoconfigure.internal.watch.StuckWork;
import dev.election.spring.lifecycle.ElectionLifecycle;
import dev.election.store.LeaseStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/** The health contributor {@code leader}. */
@AutoConfiguration(after = ElectionWatchAutoConfiguration.class)
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(Elections.class)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionHealthAutoConfiguration {

    @Bean
    @ConditionalOnEnabledHealthIndicator("leader")
    @ConditionalOnMissingBean(name = "leaderHealthIndicator")
    LeaderHealthIndicator leaderHealthIndicator(
            Elections elections,
            ObjectProvider<LeaseStore> store,
            ElectionWatch electionWatch,
            ElectionProperties properties,
            ObjectProvider<StuckWork> stuckWork,
            ObjectProvider<Impediments> impediments,
            ObjectProvider<ElectionLifecycle> lifecycle,
            ObjectProvider<MemberUse> members) {
        return new LeaderHealthIndicator(
                elections,
                ElectionWatchAutoConfiguration.location(store.getIfAvailable()),
                electionWatch,
                properties::lease,
                stuckWork.getIfAvailable(),
                impediments.orderedStream().toList(),
                ElectionParticipationAutoConfiguration.pendingStart(lifecycle),
                () -> members.stream().findFirst().flatMap(MemberUse::members));
    }
}
