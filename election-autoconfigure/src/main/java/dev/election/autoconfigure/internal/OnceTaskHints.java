package dev.election.autoconfigure.internal;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.ExecutableMode;
import org.springframework.aot.hint.ReflectionHints;
import org.springframework.beans.factory.aot.BeanRegistrationAotContribution;
import org.springframework.beans.factory.aot.BeanRegistrationAotProcessor;
import org.springframework.beans.factory.support.RegisteredBean;
import org.springframework.util.ReflectionUtils;

/** Keeps in a native image the methods that run once, and what is read of Liquibase. */
final class OnceTaskHints implements BeanRegistrationAotProcessor {

    @Override
    public @Nullable BeanRegistrationAotContribution processAheadOfTime(RegisteredBean bean) {
        Class<?> type = bean.getBeanClass();
        Set<Method> tasks = OnceTasks.methods(type).keySet();
        Field read =
                OnceMigrations.isLiquibase(type) ? ReflectionUtils.findField(type, LiquibaseChanges.SHOULD_RUN) : null;
        return tasks.isEmpty() && read == null
                ? null
                : (generation, code) -> {
                    ReflectionHints hints = generation.getRuntimeHints().reflection();
                    tasks.forEach(task -> hints.registerMethod(task, ExecutableMode.INVOKE));
                    if (read != null) {
                        hints.registerField(read);
                    }
                };
    }
}
