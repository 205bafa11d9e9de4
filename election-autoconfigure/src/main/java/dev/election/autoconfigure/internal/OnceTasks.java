package dev.election.autoconfigure.internal;

import dev.election.LeaderWork;
import dev.election.RunOnce;
import dev.election.jobs.OnceRunner;
import dev.election.spring.annotation.LibraryAnnotations;
import dev.election.spring.lifecycle.PendingStart;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.springframework.aop.framework.autoproxy.AutoProxyUtils;
import org.springframework.aop.support.AopUtils;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.ApplicationArguments;
import org.springframework.boot.ApplicationRunner;
import org.springframework.context.ApplicationListener;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.MethodIntrospector;
import org.springframework.core.PriorityOrdered;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.util.ReflectionUtils;

/** Runs the methods of a context with {@link RunOnce} before all other runners. */
public final class OnceTasks
        implements ApplicationRunner,
                PriorityOrdered,
                SmartInitializingSingleton,
                ApplicationListener<ContextClosedEvent> {

    /** The name of the bean. */
    public static final String NAME = "electionOnceTasks";

    private static final String ELSEWHERE = "another node runs, or has to run";

    private final ConfigurableListableBeanFactory beans;
    private final OnceRunner once;
    private final Map<String, Task> tasks = new TreeMap<>();
    private volatile @Nullable PendingStart pending;

    /**
     * Creates the bean.
     *
     * @param beans of the context
     * @param once runs the tasks
     */
    public OnceTasks(ConfigurableListableBeanFactory beans, OnceRunner once) {
        this.beans = beans;
        this.once = once;
    }

    /** Whether a class has a method with the annotation. */
    public static boolean areIn(Class<?> type) {
        return !methods(type).isEmpty();
    }

    /** The task that this process runs or waits for, empty if there is none. */
    public Optional<PendingStart> pending() {
        return Optional.ofNullable(pending);
    }

    @Override
    public int getOrder() {
        return HIGHEST_PRECEDENCE;
    }

    @Override
    public void afterSingletonsInstantiated() {
        new OnceIds(beans).addAll(name -> AutoProxyUtils.determineTargetClass(beans, name), this::add);
    }

    @Override
    public void run(ApplicationArguments arguments) {
        tasks.forEach((id, task) -> {
            show(id, ELSEWHERE);
            try {
                boolean unused = once.run(id, work -> {
                    show(id, "this node runs");
                    try {
                        task.run(work);
                    } finally {
                        show(id, ELSEWHERE);
                    }
                });
            } finally {
                pending = null;
            }
        });
    }

    /** Before the beans are destroyed that the task may use. A runner of a parent context goes on for other contexts. */
    @Override
    public void onApplicationEvent(ContextClosedEvent event) {
        if (event.getApplicationContext().getAutowireCapableBeanFactory() == beans
                && beans.getBeanNamesForType(OnceRunner.class, false, false).length > 0) {
            once.stop();
        }
    }

    private void show(String id, String who) {
        pending = new PendingStart(
                "the task '" + id + "', which " + who,
                "It goes on when the task is done. The log names the node that runs it.",
                Instant.now());
    }

    private void add(String id, String bean, Method method) {
        Class<?>[] parameters = method.getParameterTypes();
        if (!Modifier.isPublic(method.getModifiers())
                || method.getReturnType() != void.class
                || parameters.length > 1
                || (parameters.length == 1 && parameters[0] != LeaderWork.class)) {
            throw OnceIds.ANNOTATION.invalid(
                    method,
                    "it must be public, return nothing, and take a LeaderWork or nothing",
                    "Do all of the work before it returns: a suspend function or a publisher would end later.");
        }
        tasks.put(id, new Task(beans, bean, method));
    }

    /**
     * The methods of a class with the annotation, without those that make beans, which are for {@link OnceMigrations}. A class that can't be
     * read has none: its bean may never be made.
     */
    static Map<Method, RunOnce> methods(Class<?> type) {
        try {
            return LibraryAnnotations.mayBeOn(type)
                    ? MethodIntrospector.selectMethods(type, (MethodIntrospector.MetadataLookup<@Nullable RunOnce>)
                            method -> AnnotatedElementUtils.hasAnnotation(method, Bean.class)
                                    ? null
                                    : AnnotatedElementUtils.findMergedAnnotation(method, RunOnce.class))
                    : Map.of();
        } catch (LinkageError | RuntimeException unreadable) {
            return Map.of();
        }
    }

    /**
     * A method of a bean.
     *
     * @param beans of the context
     * @param bean its name
     */
    private record Task(ConfigurableListableBeanFactory beans, String bean, Method method) {

        void run(LeaderWork work) throws Exception {
            Object target = beans.getBean(bean);
            Method callable = AopUtils.selectInvocableMethod(method, target.getClass());
            ReflectionUtils.makeAccessible(callable);
            try {
                callable.invoke(target, callable.getParameterCount() == 0 ? new Object[0] : new Object[] {work});
            } catch (InvocationTargetException thrown) {
                ReflectionUtils.rethrowException(thrown.getTargetException());
            }
        }
    }
}
