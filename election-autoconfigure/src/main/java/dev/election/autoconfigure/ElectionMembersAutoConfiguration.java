package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.autoconfigure.internal.MemberUse;
import dev.election.autoconfigure.internal.MemberWiring;
import dev.election.autoconfigure.internal.WebAddress;
import dev.election.autoconfigure.internal.watch.MembersObserver;
import dev.election.autoconfigure.internal.watch.MessagesObserver;
import dev.election.members.MemberChanged;
import dev.election.members.MemberJoined;
import dev.election.members.MemberLeft;
import dev.election.members.MemberListener;
import dev.election.members.Members;
import dev.election.members.NodeMessages;
import dev.election.spring.lifecycle.EventAudience;
import dev.election.spring.members.MessageHandlerBeans;
import java.util.List;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Lazy;

/** The members, where the application asks for them. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBooleanProperty(name = "election.members.enabled", matchIfMissing = true)
@ConditionalOnBean(value = ElectionEngine.class, search = SearchStrategy.CURRENT)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionMembersAutoConfiguration {

    private static final List<Class<?>> EVENTS = List.of(MemberJoined.class, MemberChanged.class, MemberLeft.class);

    /** Lazy: this process is a member from when the bean is created. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    Members electionMembers(ObjectProvider<ElectionEngine> engine, MemberUse use) {
        ElectionEngine asked = engine.getIfAvailable();
        if (asked == null) {
            throw new ElectionConfigurationException(
                    "The application asks for the members, but another Elections bean, such as a mock, has replaced the"
                            + " elections that know them",
                    "In tests use @AutoConfigureTestElections of dev.election:election-test, or replace the beans Members and"
                            + " NodeMessages, too.");
        }
        return use.created(asked(asked)
                .orElseThrow(() -> ElectionConfigurationException.ofProperty(
                        "election.members.enabled",
                        "The application asks for the members, but the store of its elections keeps none: use another"
                                + " store, or let nothing ask for them")));
    }

    /** Lazy: as the members, which it needs. */
    @Bean
    @Lazy
    @ConditionalOnMissingBean
    NodeMessages electionMessages(
            ObjectProvider<ElectionEngine> engine,
            ObjectProvider<Members> members,
            ObjectProvider<MessagesObserver> observers) {
        Members unused = members.getObject();
        NodeMessages messages = engine.getObject()
                .messages()
                .orElseThrow(() -> new ElectionConfigurationException(
                        "The application sends or handles messages of members (NodeMessages, @NodeMessageHandler), but the"
                                + " store of its elections passes none on",
                        "Use a store that publishes messages, such as Redis or PostgreSQL, or remove the handlers."));
        observers.orderedStream().forEach(observer -> observer.observe(messages));
        return messages;
    }

    @Bean
    MessageHandlerBeans electionMessageHandlers(
            ConfigurableListableBeanFactory beans, ObjectProvider<NodeMessages> messages) {
        return new MessageHandlerBeans(beans, messages::getObject);
    }

    private static Optional<Members> asked(ElectionEngine engine) {
        return ElectionConfigurationException.valid("election.node.metadata", engine::members);
    }

    @Bean
    MemberUse electionMemberUse(
            ApplicationContext context,
            ObjectProvider<ElectionEngine> engine,
            ElectionProperties properties,
            ObjectProvider<Members> members,
            ObjectProvider<MemberListener> listeners,
            ObjectProvider<MembersObserver> observers) {
        boolean isEnabled = properties.needsMembers();
        return new MemberUse(
                ElectionParticipationAutoConfiguration.readiness(context, properties),
                members,
                () -> engine.stream()
                        .anyMatch(known -> isEnabled
                                || listeners.stream().findAny().isPresent()
                                || new EventAudience(context, EVENTS).isPresent()
                                || (context.containsBean("electionLeaderOperations")
                                        && asked(known).isPresent())),
                new MemberWiring(
                        context,
                        new WebAddress(
                                context.getEnvironment(),
                                context.getBeanProvider(NodeInfo.class).stream()
                                        .map(NodeInfo::address)
                                        .findFirst()
                                        .orElseGet(properties.node()::host),
                                properties.node().uri()),
                        listeners,
                        observers));
    }
}
