package dev.election.spring.members;

import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/** Keeps the methods that handle messages in a native image. */
final class MessageHandlerHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Set<Method> handlers = MessageHandlerBeans.methods(bean.getBeanClass()).keySet();
        return handlers.isEmpty()
                ? null
                : (generation, code) -> handlers.forEach(handler ->
                        generation.getRuntimeHints().reflection().registerMethod(handler, ExecutableMode.INVOKE));
    }
}
