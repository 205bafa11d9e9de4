package dev.election.routing.autoconfigure;

import dev.election.routing.internal.decision.LeaderRouting;
import dev.election.routing.internal.decision.Routes;
import dev.election.routing.internal.decision.RoutingObserver;
import dev.election.routing.internal.forward.Forwarder;
import dev.election.routing.internal.leader.RunningRequests;
import dev.election.routing.internal.reactive.LeaderWebFilter;
import dev.election.routing.internal.reactive.ReactiveRoutes;
import dev.election.routing.internal.reactive.TokenArgument;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.ArgumentResolverConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping;

/** Routes the requests of Spring WebFlux. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(RequestMappingHandlerMapping.class)
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
final class ReactiveRoutingConfiguration {

    /** Spring Security's filter has the order -100. */
    private static final int BEHIND_SECURITY = -99;

    @Bean
    RoutedHandlers electionReactiveHandlers(ObjectProvider<RequestMappingHandlerMapping> mappings) {
        return () -> mappings.stream().flatMap(mapping -> mapping.getHandlerMethods().values().stream());
    }

    @Bean
    WebFluxConfigurer electionTokensOfReactiveHandlers() {
        return new WebFluxConfigurer() {
            @Override
            public void configureArgumentResolvers(ArgumentResolverConfigurer resolvers) {
                resolvers.addCustomResolver(new TokenArgument());
            }
        };
    }

    @Bean
    ReactiveRoutes electionReactiveRoutes(Routes routes, ObjectProvider<RequestMappingHandlerMapping> mappings) {
        SingletonSupplier<List<RequestMappingHandlerMapping>> ordered =
                SingletonSupplier.of(() -> mappings.orderedStream().toList());
        return new ReactiveRoutes(routes, ordered::obtain);
    }

    @Bean
    @Order(BEHIND_SECURITY)
    LeaderWebFilter electionLeaderWebFilter(
            ReactiveRoutes routes,
            ObjectProvider<LeaderRouting> routing,
            RunningRequests running,
            ObjectProvider<Forwarder> forwarder,
            ObjectProvider<RoutingObserver> observer,
            Environment environment) {
        SingletonSupplier<RoutingObserver> observed = SingletonSupplier.of(observer::getObject);
        return new LeaderWebFilter(
                routes,
                SingletonSupplier.of(routing::getObject)::obtain,
                running,
                SingletonSupplier.of(forwarder::getObject)::obtain,
                (to, outcome, took) -> observed.obtain().routed(to, outcome, took),
                basePath(environment.getProperty("spring.webflux.base-path", "")));
    }

    /** Reads the base path in the way of Spring Boot. */
    private static String basePath(String text) {
        String path = StringUtils.trimTrailingCharacter(text.strip(), '/');
        return path.isEmpty() || path.startsWith("/") ? path : "/" + path;
    }
}
