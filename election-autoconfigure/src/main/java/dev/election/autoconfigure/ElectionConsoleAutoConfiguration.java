package dev.election.autoconfigure;

import dev.election.Elections;
import dev.election.autoconfigure.internal.console.ConsoleHints;
import dev.election.autoconfigure.internal.console.ConsolePage;
import dev.election.autoconfigure.internal.console.LeaderConsoleEndpoint;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.EndpointId;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.web.PathMappedEndpoints;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ImportRuntimeHints;

/** The endpoint {@code leaderconsole}, a page for operators. */
@AutoConfiguration(after = ElectionAutoConfiguration.class)
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(LeaderConsoleEndpoint.class)
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@ConditionalOnBean(Elections.class)
@ImportRuntimeHints(ConsoleHints.class)
public final class ElectionConsoleAutoConfiguration {

    /** The paths are known when all endpoints are: asked for when the page is. */
    @Bean
    @ConditionalOnMissingBean(name = "electionLeaderConsoleEndpoint")
    LeaderConsoleEndpoint electionLeaderConsoleEndpoint(ObjectProvider<PathMappedEndpoints> paths) {
        return new LeaderConsoleEndpoint(new ConsolePage(endpoint -> {
            PathMappedEndpoints found = paths.getIfAvailable();
            return found == null ? null : found.getRootPath(EndpointId.of(endpoint));
        }));
    }
}
