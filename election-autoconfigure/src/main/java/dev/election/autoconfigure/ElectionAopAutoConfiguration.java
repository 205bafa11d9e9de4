package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.aop.GuardReader;
import dev.election.aop.LeaderGuardPostProcessor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Guards the methods of beans. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionAopAutoConfiguration {

    /** Static, since it is needed while the first beans are made, this configuration among them. */
    @Bean
    @ConditionalOnMissingBean
    static GuardReader electionGuardReader(ConfigurableListableBeanFactory beans, ObjectProvider<Elections> elections) {
        return new GuardReader(
                name -> String.valueOf(beans.resolveEmbeddedValue(name)),
                () -> elections.getIfAvailable(() -> {
                    throw new NoElectionsException();
                }));
    }

    /** Static, and with nothing but providers: a processor that needs other beans would keep those from being processed. */
    @Bean
    @ConditionalOnMissingBean
    static LeaderGuardPostProcessor electionLeaderGuardPostProcessor(
            ObjectProvider<GuardReader> reader, ObjectProvider<ElectionProperties> properties) {
        return new LeaderGuardPostProcessor(
                reader::getObject, () -> properties.getObject().startup().awaitResult());
    }
}
