package dev.election.routing.autoconfigure;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.autoconfigure.ElectionMembersAutoConfiguration;
import dev.election.autoconfigure.ElectionProperties;
import dev.election.autoconfigure.store.RequiredElections;
import dev.election.members.Members;
import dev.election.routing.LeaderClient;
import dev.election.routing.autoconfigure.ElectionRoutingProperties.Route;
import dev.election.routing.internal.decision.LeaderRouting;
import dev.election.routing.internal.decision.RoutedElection;
import dev.election.routing.internal.decision.Routes;
import dev.election.routing.internal.decision.RoutingObserver;
import dev.election.routing.internal.forward.Forwarder;
import dev.election.routing.internal.forward.LeaderClientInterceptor;
import dev.election.routing.internal.forward.LeaderConnections;
import dev.election.routing.internal.leader.RunningRequests;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.netty.handler.ssl.SslContextBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.cloud.CloudPlatform;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.boot.ssl.SslOptions;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.env.Environment;
import org.springframework.web.util.pattern.PathPattern;
import org.springframework.web.util.pattern.PathPatternParser;
import org.springframework.web.util.pattern.PatternParseException;

/** Wires the routing of requests to the leader, and the client that calls it, for any server. */
@AutoConfiguration(
        after = ElectionMembersAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.export.simple.SimpleMetricsExportAutoConfiguration",
            "org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration"
        })
@ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
@EnableConfigurationProperties({ElectionProperties.class, ElectionRoutingProperties.class})
@Import({ServletRoutingConfiguration.class, ReactiveRoutingConfiguration.class})
public final class ElectionRoutingAutoConfiguration {

    /** The longest wait for a connection to the leader. Replicas are near each other, and a resent SYN follows after a second. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(1);

    /**
     * How many requests are forwarded at a time; as many others wait for a connection. More than the threads of a server (200 of Tomcat),
     * and well below the limit of open files (1,024).
     */
    private static final int MOST_CONNECTIONS = 500;

    /**
     * How many requests wait for a leader at a time; further ones are refused at once. With Spring MVC each of them holds its thread, so half
     * of the 200 that Tomcat and Jetty have go on to serve other requests.
     */
    private static final int MOST_WAITING = 100;

    private static final String USE =
            "The application has requests that only the leader may serve (@OnLeader, election.routing.routes)";

    @Bean
    Routes electionRoutes(
            ElectionRoutingProperties properties,
            ObjectProvider<DispatcherPath> dispatcher,
            ConfigurableListableBeanFactory beans,
            Environment environment) {
        List<Route> configured = properties.routes();
        List<Routes.Route> routes = new ArrayList<>();
        for (int i = 0; i < configured.size(); i++) {
            routes.add(route(ElectionRoutingProperties.PREFIX + ".routes[" + i + "]", configured.get(i)));
        }
        DispatcherPath path = dispatcher.getIfAvailable(() -> () -> "");
        return new Routes(
                routes,
                endpoints(path.prefix(), environment),
                text -> String.valueOf(beans.resolveEmbeddedValue(text)));
    }

    private static Routes.Route route(String property, Route route) {
        if (!Election.isName(route.election())) {
            throw ElectionConfigurationException.ofProperty(
                    property + ".election",
                    "The name of an election must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + route.election() + "'");
        }
        try {
            return new Routes.Route(
                    PathPatternParser.defaultInstance.parse(route.path()),
                    new RoutedElection(route.election(), route.mode()));
        } catch (PatternParseException invalid) {
            throw ElectionConfigurationException.ofProperty(
                    property + ".path",
                    "'" + route.path() + "' is no pattern of paths: " + invalid.getMessage(),
                    invalid);
        }
    }

    /** Endpoints tell of the node that is asked. On a port of their own no filter of the application sees their requests. */
    private static @Nullable PathPattern endpoints(String dispatcher, Environment environment) {
        String base = environment.getProperty("management.endpoints.web.base-path", "/actuator");
        return base.isEmpty() || base.equals("/")
                ? null
                : PathPatternParser.defaultInstance.parse(dispatcher + base + "/**");
    }

    @Bean
    RunningRequests electionRunningRequests() {
        return new RunningRequests();
    }

    /** Lazy: an application that routes nothing is no member because of it. */
    @Bean
    @Lazy
    LeaderRouting electionLeaderRouting(
            ObjectProvider<Elections> elections,
            ObjectProvider<Members> members,
            RunningRequests running,
            ElectionRoutingProperties properties,
            ConfigurableListableBeanFactory beans) {
        Elections found = RequiredElections.of(elections, USE, beans).get();
        Members seen = members.getIfAvailable();
        if (seen == null) {
            throw ElectionConfigurationException.ofProperty(
                    "election.members.enabled", USE + ", which are sent to members, but there are no members");
        }
        LeaderRouting routing = new LeaderRouting(found, seen, properties.waitForLeader(), MOST_WAITING);
        routing.listen();
        found.addListener(running.listener());
        return routing;
    }

    @Bean
    @Lazy
    LeaderConnections electionLeaderConnections(
            ElectionRoutingProperties properties, ObjectProvider<SslBundles> bundles) {
        String name = properties.sslBundle();
        return new LeaderConnections(
                CONNECT_TIMEOUT,
                properties.timeout(),
                MOST_CONNECTIONS,
                name == null ? null : tls(bundles.getObject().getBundle(name)));
    }

    private static Consumer<SslContextBuilder> tls(SslBundle bundle) {
        SslOptions options = bundle.getOptions();
        return builder -> {
            builder.keyManager(bundle.getManagers().getKeyManagerFactory())
                    .trustManager(bundle.getManagers().getTrustManagerFactory());
            if (options.getCiphers() != null) {
                builder.ciphers(List.of(options.getCiphers()));
            }
            if (options.getEnabledProtocols() != null) {
                builder.protocols(options.getEnabledProtocols());
            }
        };
    }

    @Bean
    @Lazy
    Forwarder electionForwarder(
            LeaderRouting routing, LeaderConnections connections, Environment environment, RoutingObserver observer) {
        return new Forwarder(routing, connections, believesForwardedHeaders(environment), observer);
    }

    /** Decides by the same property and platform as Spring Boot. */
    private static boolean believesForwardedHeaders(Environment environment) {
        String strategy = environment.getProperty("server.forward-headers-strategy");
        if (strategy != null) {
            return !strategy.equalsIgnoreCase("none");
        }
        CloudPlatform platform = CloudPlatform.getActive(environment);
        return platform != null && platform.isUsingForwardHeaders();
    }

    /** The meter {@code election.routing}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean({Elections.class, MeterRegistry.class})
    static final class Meter {

        @Bean
        RoutingObserver electionRoutingMeter(MeterRegistry registry) {
            return (to, outcome, took) -> Timer.builder("election.routing")
                    .description("Requests that only the leader may serve, until it was clear what happens to them")
                    .tag("election", to.election())
                    .tag("mode", to.mode().name().toLowerCase(Locale.ROOT))
                    .tag("outcome", outcome)
                    .register(registry)
                    .record(took);
        }
    }

    @Bean
    @ConditionalOnMissingBean
    RoutingObserver electionUnobservedRouting() {
        return (to, outcome, took) -> {};
    }

    /** Lazy: as the members, which it needs. */
    @Bean
    @Lazy
    LeaderClient electionLeaderClient(ObjectProvider<LeaderRouting> routing) {
        return new LeaderClient(election -> new LeaderClientInterceptor(election, routing::getObject));
    }

    @Bean
    @Lazy(false)
    @ConditionalOnWebApplication
    RoutingStart electionRoutingStart(
            Routes routes,
            ObjectProvider<RoutedHandlers> handlers,
            ObjectProvider<LeaderRouting> routing,
            ElectionProperties properties) {
        return new RoutingStart(routes, handlers, routing, properties.node().publicUri() != null);
    }
}
