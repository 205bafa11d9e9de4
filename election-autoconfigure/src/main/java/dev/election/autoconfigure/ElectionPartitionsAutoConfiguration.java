package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.autoconfigure.internal.checks.PartitionCountsCheck;
import dev.election.members.Members;
import dev.election.partitions.Partitions;
import dev.election.spring.guard.GuardReader;
import dev.election.spring.scheduling.PartitionedMethods;
import java.util.Map;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.function.SingletonSupplier;

/** The partitions, where the application has configured a group of them. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@Conditional(ElectionPartitionsAutoConfiguration.OnPartitions.class)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionPartitionsAutoConfiguration {

    @Bean
    @Lazy
    @ConditionalOnMissingBean
    Partitions electionPartitions(ObjectProvider<ElectionEngine> engine) {
        ElectionEngine known = engine.getIfAvailable();
        if (known == null) {
            throw new ElectionConfigurationException(
                    "election.partitions is set, but the application has no elections of its store: there is none, or another"
                            + " Elections bean, such as a mock, has replaced them",
                    "Add a store, or replace the bean Partitions, too; in tests use @AutoConfigureTestElections of"
                            + " dev.election:election-test.");
        }
        return known.partitions();
    }

    @Bean
    @ConditionalOnMissingBean(name = "electionPartitionCountsCheck")
    PartitionCountsCheck electionPartitionCountsCheck(Partitions partitions, ObjectProvider<Members> members) {
        return new PartitionCountsCheck(partitions, () -> members.stream().findFirst());
    }

    /** Each context has the methods of its own beans. */
    @Bean
    @ConditionalOnMissingBean(name = "electionPartitionedMethods", search = SearchStrategy.CURRENT)
    PartitionedMethods electionPartitionedMethods(
            ObjectProvider<GuardReader> reader, ObjectProvider<Partitions> partitions, ElectionProperties properties) {
        return new PartitionedMethods(
                () -> reader.getObject().partitioned(),
                SingletonSupplier.of(partitions::getObject),
                properties::threads);
    }

    /** Matches if a group of partitions is configured. */
    static final class OnPartitions extends SpringBootCondition {

        @Override
        public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
            boolean isSet = Binder.get(context.getEnvironment())
                    .bind("election.partitions", Bindable.mapOf(String.class, Object.class))
                    .map(Map::isEmpty)
                    .map(isEmpty -> !isEmpty)
                    .orElse(false);
            return new ConditionOutcome(
                    isSet, ConditionMessage.of("election.partitions is " + (isSet ? "" : "not ") + "set"));
        }
    }
}
