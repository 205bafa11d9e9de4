package dev.election.routing.autoconfigure;

import dev.election.routing.internal.decision.LeaderRouting;
import dev.election.routing.internal.decision.Routes;
import dev.election.routing.internal.decision.RoutingObserver;
import dev.election.routing.internal.forward.Forwarder;
import dev.election.routing.internal.leader.RunningRequests;
import dev.election.routing.internal.servlet.BodyFilter;
import dev.election.routing.internal.servlet.LeaderFilter;
import dev.election.routing.internal.servlet.ServletRoutes;
import dev.election.routing.internal.servlet.TokenArgument;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.Filter;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletPath;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Routes the requests of a servlet container with Spring MVC. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass({Filter.class, RequestMappingHandlerMapping.class, FilterRegistrationBean.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
final class ServletRoutingConfiguration {

    /** The default of Spring Boot for {@code spring.security.filter.order}. */
    private static final int SECURITY = -100;

    /** Says where Spring Boot has registered the dispatcher. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(DispatcherServletPath.class)
    static class Dispatcher {

        @Bean
        @ConditionalOnBean(DispatcherServletPath.class)
        DispatcherPath electionDispatcherPath(DispatcherServletPath path) {
            return path::getPrefix;
        }
    }

    @Bean
    RoutedHandlers electionServletHandlers(ObjectProvider<RequestMappingHandlerMapping> mappings) {
        return () -> mappings.stream().flatMap(mapping -> mapping.getHandlerMethods().values().stream());
    }

    @Bean
    WebMvcConfigurer electionTokensOfServletHandlers() {
        return new WebMvcConfigurer() {
            @Override
            public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
                resolvers.add(new TokenArgument());
            }
        };
    }

    @Bean
    FilterRegistrationBean<BodyFilter> electionBodyFilter(Routes routes) {
        FilterRegistrationBean<BodyFilter> filter = new FilterRegistrationBean<>(new BodyFilter(routes));
        filter.setDispatcherTypes(DispatcherType.REQUEST);
        filter.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filter;
    }

    @Bean
    ServletRoutes electionServletRoutes(
            Routes routes,
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ObjectProvider<DispatcherPath> dispatcher) {
        SingletonSupplier<List<RequestMappingHandlerMapping>> ordered =
                SingletonSupplier.of(() -> mappings.orderedStream().toList());
        DispatcherPath path = dispatcher.getIfAvailable();
        return new ServletRoutes(routes, ordered::obtain, path == null ? null : path.prefix());
    }

    @Bean
    FilterRegistrationBean<LeaderFilter> electionLeaderFilter(
            ServletRoutes routes,
            ObjectProvider<LeaderRouting> routing,
            RunningRequests running,
            ObjectProvider<Forwarder> forwarder,
            ObjectProvider<RoutingObserver> observer,
            Environment environment) {
        SingletonSupplier<RoutingObserver> observed = SingletonSupplier.of(observer::getObject);
        FilterRegistrationBean<LeaderFilter> filter = new FilterRegistrationBean<>(new LeaderFilter(
                routes,
                SingletonSupplier.of(routing::getObject)::obtain,
                running,
                SingletonSupplier.of(forwarder::getObject)::obtain,
                (to, outcome, took) -> observed.obtain().routed(to, outcome, took)));
        filter.setDispatcherTypes(DispatcherType.REQUEST, DispatcherType.ASYNC);
        filter.setOrder(environment.getProperty("spring.security.filter.order", Integer.class, SECURITY) + 1);
        return filter;
    }
}
