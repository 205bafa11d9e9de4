package dev.election.spring.members;

import dev.election.ElectionConfigurationException;
import dev.election.members.MessageHandler;
import dev.election.members.ReceivedMessage;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.support.AopUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A method of a bean as a handler of messages.
 *
 * @param bean creates or finds the bean when a message comes
 * @param method of its class
 */
record HandlerMethod(Supplier<Object> bean, Method method) implements MessageHandler {

    /**
     * Checks the method.
     *
     * @throws ElectionConfigurationException if it can't be called with a message
     */
    HandlerMethod {
        Class<?>[] parameters = method.getParameterTypes();
        if (parameters.length != 1 || (parameters[0] != String.class && parameters[0] != ReceivedMessage.class)) {
            throw invalid(
                    method,
                    "it must have one parameter",
                    "Take the body as a String, or the whole message as a ReceivedMessage.");
        }
        if (method.getReturnType() != void.class && method.getReturnType() != String.class) {
            throw invalid(
                    method,
                    "it must return nothing or a String",
                    "Return the text of the reply, such as JSON, or nothing.");
        }
    }

    /**
     * Checks that the method can be called on what is behind the name of the bean, such as a proxy.
     *
     * @throws ElectionConfigurationException if it can't
     */
    HandlerMethod on(Class<?> exposed) {
        try {
            AopUtils.selectInvocableMethod(method, exposed);
        } catch (IllegalStateException hidden) {
            throw invalid(
                    method,
                    "the bean has a proxy without this method",
                    "Let the method be neither private nor static, and let the proxy extend the class"
                            + " (spring.aop.proxy-target-class) or its interfaces have the method.");
        }
        return this;
    }

    @Override
    public @Nullable String handle(ReceivedMessage message) throws Exception {
        Object target = bean.get();
        Method callable = AopUtils.selectInvocableMethod(method, target.getClass());
        ReflectionUtils.makeAccessible(callable);
        Object argument = callable.getParameterTypes()[0] == String.class ? message.body() : message;
        try {
            return (String) callable.invoke(target, argument);
        } catch (InvocationTargetException thrown) {
            ReflectionUtils.rethrowException(thrown.getTargetException());
            throw thrown;
        }
    }

    private static ElectionConfigurationException invalid(Method method, String problem, String action) {
        return new ElectionConfigurationException(
                "@NodeMessageHandler on " + method + " is invalid: " + problem, action);
    }
}
