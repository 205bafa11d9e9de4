package dev.election.autoconfigure;

import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.autoconfigure.internal.actuate.ChecksView;
import dev.election.autoconfigure.internal.actuate.LeaderEndpoint;
import dev.election.autoconfigure.internal.actuate.LeaderInfoContributor;
import dev.election.autoconfigure.internal.actuate.LeaderOperations;
import dev.election.autoconfigure.internal.actuate.LeaderWebExtension;
import dev.election.autoconfigure.internal.actuate.NodeKnowledge;
import dev.election.autoconfigure.internal.actuate.NodeView;
import dev.election.autoconfigure.internal.actuate.RequestLimits;
import dev.election.autoconfigure.internal.actuate.ViewHints;
import dev.election.autoconfigure.internal.checks.Doctor;
import dev.election.autoconfigure.internal.console.ConsoleHints;
import dev.election.autoconfigure.internal.console.ConsolePage;
import dev.election.autoconfigure.internal.console.LeaderConsoleEndpoint;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.jobs.JobRuns;
import dev.election.jobs.requests.JobRequests;
import dev.election.store.LeaseStore;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.PropertiesEndpointAccessResolver;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.autoconfigure.info.ConditionalOnEnabledInfoContributor;
import org.springframework.boot.actuate.autoconfigure.info.InfoContributorFallback;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.EndpointAccessResolver;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.OperationFilter;
import org.springframework.boot.actuate.endpoint.OperationType;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.jmx.JmxOperation;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ImportRuntimeHints;
import org.springframework.core.env.Environment;

/** The endpoints {@code leader} and {@code leaderconsole}, and the elections on {@code info}: each where it is exposed or enabled. */
@AutoConfiguration(after = ElectionWatchAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, InfoContributor.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
// Where there are elections. By name, since a condition on a type asks each bean for its type.
@ConditionalOnBean(name = "electionNodeMemory")
@EnableConfigurationProperties(ElectionProperties.class)
@ImportRuntimeHints(ViewHints.class)
public final class ElectionEndpointAutoConfiguration {

    /** How long a leader may take to react to a request. One that is alive reacts within milliseconds, or after a short pause for garbage. */
    private static final Duration PATIENCE = Duration.ofSeconds(3);

    /** A page for operators. The paths are known when all endpoints are: asked for when the page is. */
    @Bean
    @ConditionalOnAvailableEndpoint(LeaderConsoleEndpoint.class)
    @ConditionalOnMissingBean(name = "electionLeaderConsoleEndpoint")
    @ImportRuntimeHints(ConsoleHints.class)
    LeaderConsoleEndpoint electionLeaderConsoleEndpoint(ObjectProvider<PathMappedEndpoints> paths) {
        return new LeaderConsoleEndpoint(new ConsolePage(endpoint -> {
            PathMappedEndpoints found = paths.getIfAvailable();
            return found == null ? null : found.getRootPath(EndpointId.of(endpoint));
        }));
    }

    /** The id of this node may be another one after each start. Elections of the application's own have no address. */
    private static NodeKnowledge knowledge(
            BeanFactory beans, Elections elections, ElectionProperties properties, NodeMemory memory) {
        ElectionEngine known = beans.getBeanProvider(ElectionEngine.class).getIfAvailable();
        ObjectProvider<Doctor> doctor = beans.getBeanProvider(Doctor.class);
        return new NodeKnowledge(
                () -> new NodeView(
                        elections.node(),
                        known == null ? "" : known.nodeInfo().address(),
                        properties.node().metadata()),
                memory,
                () -> doctor.stream().findFirst().map(ElectionEndpointAutoConfiguration::checks),
                InstantSource.system());
    }

    private static ChecksView checks(Doctor doctor) {
        return new ChecksView(
                doctor.pending(),
                doctor.findings().stream()
                        .map(finding -> new ChecksView.FindingView(finding.problem(), finding.action()))
                        .toList());
    }

    /** The endpoint, which HTTP and JMX expose. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnAvailableEndpoint(LeaderEndpoint.class)
    static final class LeaderConfiguration {

        private final ObjectProvider<EndpointAccessResolver> access;
        private final Environment environment;

        LeaderConfiguration(ObjectProvider<EndpointAccessResolver> access, Environment environment) {
            this.access = access;
            this.environment = environment;
        }

        @Bean
        @ConditionalOnMissingBean(name = "electionLeaderOperations")
        LeaderOperations electionLeaderOperations(
                Elections elections,
                NodeMemory electionNodeMemory,
                ObjectProvider<LeaseStore> store,
                ElectionProperties properties,
                BeanFactory beans) {
            return new LeaderOperations(
                    elections,
                    knowledge(beans, elections, properties, electionNodeMemory),
                    beans.getBeanProvider(JobRuns.class)
                            .getIfAvailable(() -> election -> CompletableFuture.completedFuture(List.of())),
                    beans.getBeanProvider(JobRequests.class).getIfAvailable(),
                    new RequestLimits(
                            PATIENCE,
                            properties.longestDrain(),
                            store.stream()
                                    .findFirst()
                                    .map(known -> known.traits().messageDelay())
                                    .orElse(Duration.ZERO)),
                    isWritable());
        }

        /**
         * Whether the application has set unrestricted access; without a setting the endpoint is read-only, whatever its annotation says. The
         * resolver of Spring Boot keeps its first answer, whatever the default of later questions is. So it is not asked here: asked before Spring
         * Boot asks, it would take the operation away; asked later, it would allow the operation.
         */
        private boolean isWritable() {
            EndpointAccessResolver found = access.getIfAvailable();
            EndpointAccessResolver asked = found instanceof PropertiesEndpointAccessResolver
                    ? new PropertiesEndpointAccessResolver(environment)
                    : found;
            return asked != null
                    && asked.accessFor(EndpointId.of(LeaderEndpoint.ID), Access.READ_ONLY) == Access.UNRESTRICTED;
        }

        @Bean
        @ConditionalOnMissingBean(name = "electionLeaderEndpoint")
        LeaderEndpoint electionLeaderEndpoint(LeaderOperations electionLeaderOperations) {
            return new LeaderEndpoint(electionLeaderOperations);
        }

        @Bean
        @ConditionalOnMissingBean(name = "electionLeaderWebExtension")
        LeaderWebExtension electionLeaderWebExtension(LeaderOperations electionLeaderOperations) {
            return new LeaderWebExtension(electionLeaderOperations);
        }

        /** A refusal with an explanation is for HTTP: an operation that is not there says as much to whoever sees the list by JMX. */
        @Bean
        @ConditionalOnBooleanProperty("spring.jmx.enabled")
        OperationFilter<JmxOperation> electionJmxOperations() {
            return (operation, endpoint, defaultAccess) -> !endpoint.equals(EndpointId.of(LeaderEndpoint.ID))
                    || operation.getType() == OperationType.READ
                    || isWritable();
        }
    }

    /** Where {@code management.info.leader.enabled} is true. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnEnabledInfoContributor(value = "leader", fallback = InfoContributorFallback.DISABLE)
    static final class InfoConfiguration {

        @Bean
        @ConditionalOnMissingBean(name = "electionLeaderInfoContributor")
        LeaderInfoContributor electionLeaderInfoContributor(
                Elections elections, NodeMemory electionNodeMemory, ElectionProperties properties, BeanFactory beans) {
            return new LeaderInfoContributor(elections, knowledge(beans, elections, properties, electionNodeMemory));
        }
    }
}
