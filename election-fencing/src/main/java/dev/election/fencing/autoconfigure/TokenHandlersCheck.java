package dev.election.fencing.autoconfigure;

import dev.election.ElectionConfigurationException;
import dev.election.fencing.TokenGate;
import dev.election.fencing.http.ReceivingInterceptor;
import dev.election.fencing.http.TokenHandlers;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;

/** Fails at startup, and not at the first request, if tokens are required where nothing checks them. */
final class TokenHandlersCheck implements SmartInitializingSingleton, ApplicationListener<ContextRefreshedEvent> {

    private final ObjectProvider<RequestMappingHandlerMapping> mappings;
    private final ConfigurableListableBeanFactory beans;
    private final ObjectProvider<TokenGate> gate;

    TokenHandlersCheck(
            ObjectProvider<RequestMappingHandlerMapping> mappings,
            ConfigurableListableBeanFactory beans,
            ObjectProvider<TokenGate> gate) {
        this.mappings = mappings;
        this.beans = beans;
        this.gate = gate;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Set<Class<?>> checked = mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().values().stream())
                .filter(TokenHandlers::requireToken)
                .map(handler -> TokenHandlers.typeOf(handler, beans))
                .collect(Collectors.toSet());
        TokenHandlers.findUnchecked(beans, checked).ifPresent(unchecked -> {
            throw new ElectionConfigurationException(
                    "@RequireFencingToken of " + unchecked.getName()
                            + " has no effect: it is not on a handler that Spring MVC calls by annotation",
                    "Put it on the class or the method with @RequestMapping, or ask a TokenGate in the handler.");
        });
        if (!checked.isEmpty()) {
            if (!isChecking(beans)) {
                throw withoutEffect(checked.iterator().next());
            }
            gate.getObject();
        }
    }

    /** A child context takes the interceptor of its parent, which has none if no handler of its own requires tokens. */
    @Override
    public void onApplicationEvent(ContextRefreshedEvent refreshed) {
        if (refreshed.getApplicationContext() instanceof ConfigurableApplicationContext context
                && context.getBeanFactory() != beans
                && !isChecking(context)) {
            TokenHandlers.findUnchecked(context.getBeanFactory(), Set.of()).ifPresent(unchecked -> {
                throw withoutEffect(unchecked);
            });
        }
    }

    private static boolean isChecking(ListableBeanFactory beans) {
        return !BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, ReceivingInterceptor.class)
                .isEmpty();
    }

    private static ElectionConfigurationException withoutEffect(Class<?> handler) {
        return new ElectionConfigurationException(
                "@RequireFencingToken of " + handler.getName()
                        + " has no effect: its context has no interceptor that checks tokens, and"
                        + " neither has the parent of that context",
                "Let @EnableAutoConfiguration apply to the context of the handler.");
    }
}
