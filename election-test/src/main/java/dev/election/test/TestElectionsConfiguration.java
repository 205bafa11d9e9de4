package dev.election.test;

import dev.election.autoconfigure.ElectionProperties;
import dev.election.jobs.OnceRunner;
import dev.election.members.Members;
import dev.election.members.NodeMessages;
import dev.election.partitions.Partitions;
import dev.election.spring.members.MessageHandlerBeans;
import dev.election.store.test.InMemoryLeaseStore;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;

/** Makes {@link TestElections} the elections of a context, so that the library's own, and their connections to Redis, are never made. */
@Configuration(proxyBeanMethods = false)
public class TestElectionsConfiguration {

    /** The groups of partitions are those of the application. */
    @Bean
    TestElections testElections(ObjectProvider<ElectionProperties> properties) {
        return properties.stream()
                .findFirst()
                .map(known -> new TestElections(known.counts(), known.onePerProcess()))
                .orElseGet(TestElections::new);
    }

    @Bean
    @Lazy
    Partitions testPartitions(TestElections elections) {
        return elections.partitions();
    }

    /** The members, lazy as in an application: this process becomes one when they are first asked for. */
    @Bean
    @Lazy
    Members testMembers(TestElections elections) {
        return elections.members();
    }

    @Bean
    @Lazy
    NodeMessages testMessages(TestElections elections) {
        return elections.messages();
    }

    /** Tasks run once in each context, which has a store of its own for them. */
    @Bean
    @Lazy
    OnceRunner testOnceRunner() {
        return OnceRunner.over(new InMemoryLeaseStore());
    }

    @Bean
    MessageHandlerBeans testMessageHandlers(
            ConfigurableListableBeanFactory beans, ObjectProvider<NodeMessages> messages) {
        return new MessageHandlerBeans(beans, messages::getObject);
    }
}
