package dev.election.autoconfigure;

import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.autoconfigure.internal.actuate.LeaderInfoContributor;
import dev.election.autoconfigure.internal.actuate.ViewHints;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/** Shows the elections of this node on the endpoint {@code info}, where {@code management.info.leader.enabled} is true. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnClass({InfoContributor.class, ConditionalOnEnabledInfoContributor.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(Elections.class)
@EnableConfigurationProperties(ElectionProperties.class)
@ImportRuntimeHints(ViewHints.class)
public final class ElectionInfoAutoConfiguration {

    @Bean
    @ConditionalOnEnabledInfoContributor(value = "leader", fallback = InfoContributorFallback.DISABLE)
    @ConditionalOnMissingBean(name = "electionLeaderInfoContributor")
    LeaderInfoContributor electionLeaderInfoContributor(
            Elections elections, ObjectProvider<ElectionEngine> engine, ElectionProperties properties) {
        return new LeaderInfoContributor(
                ElectionEndpointAutoConfiguration.node(elections, engine, properties), elections);
    }
}
