package dev.election.fencing.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.fencing.TokenGate;
import dev.election.fencing.http.Hosts;
import dev.election.fencing.http.ReceivingInterceptor;
import dev.election.fencing.http.SendingFilter;
import dev.election.fencing.http.SendingInterceptor;
import dev.election.fencing.http.TokenHandlers;
import jakarta.servlet.Filter;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.restclient.RestClientCustomizer;
import org.springframework.boot.restclient.RestTemplateCustomizer;
import org.springframework.boot.webclient.WebClientCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Lazy;
import org.springframework.web.servlet.handler.MappedInterceptor;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Configurations that send the tokens of leader work to other services, and check those of their leaders. */
final class FencingHttpConfigurations {

    /** Long enough for a failover of most stores to be noticed, and shorter than the usual timeouts of callers (10 s and more). */
    private static final Duration GATE_TIMEOUT = Duration.ofSeconds(5);

    private FencingHttpConfigurations() {}

    /** With {@code RestClient} and {@code RestTemplate}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
    @ConditionalOnClass(RestClientCustomizer.class)
    static final class Sending {

        @Bean
        RestClientCustomizer electionTokenRestClientCustomizer(ElectionFencingProperties properties) {
            List<String> hosts = properties.http().sendTo();
            return builder -> {
                if (!hosts.isEmpty()) {
                    builder.requestInterceptor(new SendingInterceptor(new Hosts(hosts)));
                }
            };
        }

        @Bean
        RestTemplateCustomizer electionTokenRestTemplateCustomizer(ElectionFencingProperties properties) {
            List<String> hosts = properties.http().sendTo();
            return template -> {
                if (!hosts.isEmpty()) {
                    template.getInterceptors().add(new SendingInterceptor(new Hosts(hosts)));
                }
            };
        }
    }

    /** With {@code WebClient}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnBooleanProperty(name = "election.enabled", matchIfMissing = true)
    @ConditionalOnClass(WebClientCustomizer.class)
    static final class ReactiveSending {

        @Bean
        WebClientCustomizer electionTokenWebClientCustomizer(ElectionFencingProperties properties) {
            List<String> hosts = properties.http().sendTo();
            return builder -> {
                if (!hosts.isEmpty()) {
                    builder.filter(new SendingFilter(new Hosts(hosts)));
                }
            };
        }
    }

    /** With Spring MVC. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({MappedInterceptor.class, Filter.class})
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static final class Receiving {

        /** Only where a handler requires tokens. Not a condition, since that can't see beans that are registered later. */
        @Bean
        @ConditionalOnMissingBean
        @Nullable
        ReceivingInterceptor electionTokenReceivingInterceptor(
                ObjectProvider<TokenGate> gate,
                ConfigurableListableBeanFactory beans,
                ElectionFencingProperties properties) {
            return TokenHandlers.areIn(beans)
                    ? new ReceivingInterceptor(
                            gate::getObject,
                            GATE_TIMEOUT,
                            text -> String.valueOf(beans.resolveEmbeddedValue(text)),
                            properties.http().allowAnonymous())
                    : null;
        }

        /** Every mapping of handlers takes it, whatever else the application configures. */
        @Bean
        @Nullable
        MappedInterceptor electionTokenMappedInterceptor(ObjectProvider<ReceivingInterceptor> receiving) {
            ReceivingInterceptor interceptor = receiving.getIfAvailable();
            return interceptor == null ? null : new MappedInterceptor(new String[] {"/**"}, interceptor);
        }

        @Bean
        @Lazy(false)
        TokenHandlersCheck electionTokenHandlersCheck(
                ObjectProvider<RequestMappingHandlerMapping> mappings,
                ConfigurableListableBeanFactory beans,
                ObjectProvider<TokenGate> gate) {
            return new TokenHandlersCheck(mappings, beans, gate);
        }
    }

    /** Nothing checks tokens there. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping.class)
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static final class Unchecked {

        @Bean
        @Lazy(false)
        SmartInitializingSingleton electionUncheckedTokenHandlersCheck(
                ObjectProvider<org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerMapping>
                        mappings) {
            return () -> mappings.stream()
                    .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                    .filter(TokenHandlers::requireToken)
                    .findFirst()
                    .ifPresent(handler -> {
                        throw new ElectionConfigurationException(
                                "@RequireFencingToken on " + handler
                                        + " has no effect: it works with Spring MVC, and this application uses WebFlux",
                                "Ask a TokenGate in the handler instead.");
                    });
        }
    }
}
