package dev.election.autoconfigure.internal;

import dev.election.Election;
import dev.election.RunOnce;
import dev.election.jobs.OnceRunner;
import dev.election.spring.annotation.ElectionAnnotation;
import java.lang.reflect.Method;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.scope.ScopedProxyUtils;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.RootBeanDefinition;

/** The ids of the tasks of a context. Each belongs to one method of one bean. */
final class OnceIds {

    static final ElectionAnnotation ANNOTATION = new ElectionAnnotation("@RunOnce");

    private final ConfigurableListableBeanFactory beans;
    private final Map<String, Place> places = new ConcurrentHashMap<>();

    OnceIds(ConfigurableListableBeanFactory beans) {
        this.beans = beans;
    }

    /**
     * Adds those of all beans.
     *
     * @param types the class of a bean by its name, {@code null} if it is not known
     * @param tasks takes each method of a bean, but none that makes a bean
     */
    void addAll(Function<String, @Nullable Class<?>> types, TaskReader tasks) {
        for (String name : beans.getBeanDefinitionNames()) {
            Class<?> type = ScopedProxyUtils.isScopedTarget(name) ? null : types.apply(name);
            if (type != null) {
                OnceTasks.methods(type)
                        .forEach((method, annotation) -> tasks.read(add(name, method, annotation), name, method));
            }
            if (beans.getMergedBeanDefinition(name) instanceof RootBeanDefinition definition) {
                OnceMigrations.read(definition, (factory, annotation) -> add(name, factory, annotation));
            }
        }
    }

    /** Returns the id of the annotated method of a bean, or of the one that makes it. */
    String add(String bean, Method method, RunOnce annotation) {
        String id = ANNOTATION.resolve(
                name -> String.valueOf(beans.resolveEmbeddedValue(name)),
                method,
                "id",
                annotation.value(),
                "Set the property.");
        if (!Election.isName(OnceRunner.election(id))) {
            throw ANNOTATION.invalid(method, "'" + id + "' is no id", "Write an id of 1 to 59 of A-Z a-z 0-9 . _ : -");
        }
        Place place = new Place(bean, method);
        Place same = places.putIfAbsent(id, place);
        if (same != null && !same.equals(place)) {
            throw ANNOTATION.invalid(
                    method, "the id '" + id + "' is that of " + same.method, "Give each task an id of its own.");
        }
        return id;
    }

    /** Takes a task. */
    @FunctionalInterface
    interface TaskReader {

        void read(String id, String bean, Method method);
    }

    private record Place(String bean, Method method) {}
}
