package dev.election.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.NodeInfo;
import dev.election.autoconfigure.internal.WebAddress;
import dev.election.store.LeaseStore;
import dev.election.store.LeaseStoreDecorator;
import java.util.Objects;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfigurationPackages;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.info.BuildProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** Creates the elections over the lease store bean. */
@AutoConfiguration
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(LeaseStore.class)
@EnableConfigurationProperties(ElectionProperties.class)
public final class ElectionAutoConfiguration {

    @Bean(destroyMethod = "close")
    @ConditionalOnMissingBean(Elections.class)
    ElectionEngine elections(
            LeaseStore electionLeaseStore,
            ObjectProvider<LeaseStoreDecorator> decorators,
            ObjectProvider<NodeInfo> ownNode,
            ElectionProperties properties,
            Environment environment,
            ConfigurableListableBeanFactory beans) {
        LeaseStore decorated = electionLeaseStore;
        for (LeaseStoreDecorator decorator : decorators.orderedStream().toList()) {
            decorated = decorator.decorate(decorated);
        }
        properties.requireLeasesFor(decorated.traits());
        ElectionEngine.Builder builder = ElectionEngine.over(decorated)
                .as(() -> node(ownNode, properties, environment, beans))
                .application(environment.getProperty("spring.application.name", ""))
                .role(properties.role())
                .tokensAhead(properties.tokensAhead())
                .timing(properties.timing())
                .recoverAtMost(properties.recovery().atMost())
                .giveUpOnFailedStart(properties.giveUpOnFailedStart())
                .members(properties.asMember(version(environment, beans)));
        properties.requireMembersFor(decorated);
        properties.requireLeadershipsFor(decorated);
        properties.requireHealthModule(beans.getBeanClassLoader());
        properties.steering().ifPresent(builder::steering);
        properties.timings().forEach(builder::timing);
        properties.roles().forEach(builder::role);
        properties.minimumMembers().forEach(builder::minimumMembers);
        properties.ledWith().forEach(builder::ledWith);
        properties.counts().forEach(builder::partitions);
        properties.onePerProcess().forEach(builder::onePerProcess);
        if (properties.partitions().isEmpty() && properties.ledWith().isEmpty()) {
            return builder.build();
        }
        try {
            return builder.build();
        } catch (IllegalArgumentException invalid) {
            throw properties.invalidPartitions(invalid);
        }
    }

    /** The description of this process. */
    static NodeInfo node(
            ObjectProvider<NodeInfo> own, ElectionProperties properties, Environment environment, BeanFactory beans) {
        return ofApplication(own.getIfAvailable(() -> nodeInfo(properties, environment)), beans);
    }

    /** Spring Boot sets the property by the manifest, unless the application does. */
    static String version(Environment environment, BeanFactory beans) {
        return Stream.concat(
                        Stream.ofNullable(environment.getProperty("spring.application.version")),
                        beans.getBeanProvider(BuildProperties.class).stream()
                                .map(BuildProperties::getVersion)
                                .filter(Objects::nonNull))
                .findFirst()
                .orElse("");
    }

    /**
     * A node id that nobody has set is another one after each start, since a process image may be started more than once. At the start of
     * the elections the web server listens, so others are told its URI.
     */
    private static NodeInfo nodeInfo(ElectionProperties properties, Environment environment) {
        ElectionProperties.Node node = properties.node();
        String uri = new WebAddress(environment, node.host(), node.uri()).uri();
        return ElectionConfigurationException.valid(
                "election.node.id",
                () -> new NodeInfo(
                        node.id() != null ? node.id() : NodeInfo.ofThisHost().id(), uri.isEmpty() ? node.host() : uri));
    }

    /** Names an application without a name after its base package: so two applications that share an election by mistake are told apart. */
    private static NodeInfo ofApplication(NodeInfo node, BeanFactory beans) {
        return node.application().isEmpty() && AutoConfigurationPackages.has(beans)
                ? node.ofApplication(String.join(",", new TreeSet<>(AutoConfigurationPackages.get(beans))))
                : node;
    }
}
