package dev.election.spring.members;

import dev.election.ElectionConfigurationException;
import dev.election.members.MessageHandler;
import dev.election.members.NodeMessageHandler;
import dev.election.members.NodeMessages;
import dev.election.members.ReceivedMessage;
import dev.election.spring.annotation.LibraryAnnotations;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Bean;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.annotation.AnnotatedElementUtils;

/**
 * Registers the beans and methods of a context with {@link NodeMessageHandler}, when all singletons have been created. A bean that is lazy or has a
 * scope is created when a message comes for it.
 */
public final class MessageHandlerBeans implements SmartInitializingSingleton {

    private final ConfigurableListableBeanFactory beans;
    private final Supplier<NodeMessages> messages;

    /**
     * Creates the bean.
     *
     * @param beans of the context
     * @param messages called if there is a handler
     */
    public MessageHandlerBeans(ConfigurableListableBeanFactory beans, Supplier<NodeMessages> messages) {
        this.beans = beans;
        this.messages = messages;
    }

    @Override
    public void afterSingletonsInstantiated() {
        for (String name : beans.getBeanDefinitionNames()) {
            if (!ScopedProxyUtils.isScopedTarget(name)) {
                register(name);
            }
        }
    }

    private void register(String name) {
        Class<?> type = AutoProxyUtils.determineTargetClass(beans, name);
        if (type != null) {
            Class<?> exposed = Objects.requireNonNullElse(beans.getType(name, false), type);
            methods(type)
                    .forEach((method, handler) ->
                            register(handler, new HandlerMethod(() -> beans.getBean(name), method).on(exposed), name));
        }
        if (type == null || LibraryAnnotations.mayBeOn(type) || isMadeByMarked(name)) {
            NodeMessageHandler ofBean = beans.findAnnotationOnBean(name, NodeMessageHandler.class, false);
            if (ofBean != null) {
                register(ofBean, handlerBean(name), name);
            }
        }
    }

    private boolean isMadeByMarked(String name) {
        Method factory = beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition
                ? definition.getResolvedFactoryMethod()
                : null;
        return factory != null && LibraryAnnotations.mayBeOn(factory.getDeclaringClass());
    }

    /** The methods that handle messages, without {@code @Bean} methods, whose annotations are for the beans that they return. */
    static Map<Method, NodeMessageHandler> methods(Class<?> type) {
        if (!LibraryAnnotations.mayBeOn(type)) {
            return Map.of();
        }
        return MethodIntrospector.selectMethods(
                type, (MethodIntrospector.MetadataLookup<@Nullable NodeMessageHandler>) method -> {
                    NodeMessageHandler found =
                            AnnotatedElementUtils.findMergedAnnotation(method, NodeMessageHandler.class);
                    return found == null || AnnotatedElementUtils.hasAnnotation(method, Bean.class) ? null : found;
                });
    }

    private MessageHandler handlerBean(String name) {
        if (!beans.isTypeMatch(name, MessageHandler.class)) {
            throw new ElectionConfigurationException(
                    "@NodeMessageHandler on the bean '" + name + "' is invalid: the bean is no MessageHandler",
                    "Let it be one, or put the annotation on the method that handles the messages.");
        }
        return message -> handle(name, message);
    }

    private @Nullable String handle(String name, ReceivedMessage message) throws Exception {
        return beans.getBean(name, MessageHandler.class).handle(message);
    }

    private void register(NodeMessageHandler annotation, MessageHandler handler, String bean) {
        String type = annotation.value();
        try {
            type = String.valueOf(beans.resolveEmbeddedValue(type));
            NodeMessages.Registration unused = messages.get().handle(type, handler);
        } catch (IllegalArgumentException | IllegalStateException invalid) {
            throw new ElectionConfigurationException(
                    "@NodeMessageHandler(\"" + type + "\") in the bean '" + bean + "' is invalid: "
                            + invalid.getMessage(),
                    "Give each handler of the application a type of its own, of 1 to 64 of A-Z a-z 0-9 . _ : -",
                    invalid);
        }
    }
}
