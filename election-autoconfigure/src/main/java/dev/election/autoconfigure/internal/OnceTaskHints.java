package dev.election.autoconfigure.internal;

import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;

/** Keeps the methods that run once in a native image. */
final class OnceTaskHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Set<Method> tasks = OnceTasks.methods(bean.getBeanClass()).keySet();
        return tasks.isEmpty()
                ? null
                : (generation, code) -> tasks.forEach(
                        task -> generation.getRuntimeHints().reflection().registerMethod(task, ExecutableMode.INVOKE));
    }
}
