package dev.election.autoconfigure.internal.checks;

import dev.election.autoconfigure.checks.Check;
import dev.election.autoconfigure.checks.Finding;
import java.lang.reflect.Method;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.SpringApplicationEvent;
import org.springframework.context.event.ContextRefreshedEvent;
import org.springframework.context.event.EventListener;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Checks whether guarded methods are called while this node may lead and through their guard. A call before the candidacy begins is skipped
 * on every replica, and a method that Spring calls on the bean itself bypasses the proxy.
 */
public final class GuardedMethodsCheck implements Check {

    private static final Set<Class<?>> RUNNERS = Set.of(ApplicationRunner.class, CommandLineRunner.class);
    private static final Set<Class<?>> BEFORE_CANDIDACY = Set.of(SmartInitializingSingleton.class);
    private static final Set<Class<?>> PAST_THE_GUARD = Set.of(InitializingBean.class, DisposableBean.class);
    private static final Set<String> ANNOTATIONS_PAST_THE_GUARD =
            Set.of("jakarta.annotation.PostConstruct", "jakarta.annotation.PreDestroy");

    private static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";

    private final Consumer<BiConsumer<Class<?>, Method>> guarded;
    private final boolean runnersComeFirst;
    private final boolean schedules;

    /**
     * Creates the check.
     *
     * @param guarded passes each guarded method with the class of its bean
     * @param runnersComeFirst whether candidacy begins when the runners of the application have returned
     * @param schedules whether the context calls scheduled methods
     */
    public GuardedMethodsCheck(
            Consumer<BiConsumer<Class<?>, Method>> guarded, boolean runnersComeFirst, boolean schedules) {
        this.schedules = schedules;
        this.guarded = guarded;
        this.runnersComeFirst = runnersComeFirst;
    }

    @Override
    public CompletionStage<List<Finding>> look() {
        Stream.Builder<Finding> findings = Stream.builder();
        guarded.accept((type, method) -> {
            String name = type.getName() + "." + method.getName();
            if (isOf(BEFORE_CANDIDACY, type, method)
                    || (runnersComeFirst && isOf(RUNNERS, type, method))
                    || listensToTheStart(method)) {
                findings.add(new Finding(
                        "The guarded method " + name
                                + " never runs: it is called while the application starts, before this node takes part in an"
                                + " election",
                        "Listen to LeadershipEvent.Acquired instead, or remove the guard"));
            } else if (isOf(PAST_THE_GUARD, type, method) || hasAnnotationPastTheGuard(method)) {
                findings.add(new Finding(
                        "The guard of " + name
                                + " has no effect: Spring calls the method on the bean itself and not on its proxy, on every replica",
                        "Move the work to a method that other beans call"));
            }
            if (!schedules
                    && MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY)
                            .isPresent(SCHEDULED)) {
                findings.add(new Finding(
                        "The guarded method " + name
                                + " is not called by its schedule: @Scheduled has no effect in this" + " application",
                        "Put @EnableScheduling on a configuration class, or remove @Scheduled"));
            }
        });
        return CompletableFuture.completedFuture(findings.build().distinct().toList());
    }

    private static boolean isOf(Set<Class<?>> callbacks, Class<?> type, Method method) {
        return callbacks.stream()
                .filter(callback -> callback.isAssignableFrom(type))
                .flatMap(callback -> Stream.of(callback.getMethods()))
                .anyMatch(callback -> callback.getName().equals(method.getName())
                        && callback.getParameterCount() == method.getParameterCount());
    }

    private boolean listensToTheStart(Method method) {
        EventListener listener = AnnotatedElementUtils.findMergedAnnotation(method, EventListener.class);
        if (listener == null) {
            return false;
        }
        List<Class<?>> events =
                listener.classes().length > 0 ? List.of(listener.classes()) : List.of(method.getParameterTypes());
        return !events.isEmpty()
                && events.stream()
                        .allMatch(event -> (SpringApplicationEvent.class.isAssignableFrom(event)
                                        && (runnersComeFirst || event != ApplicationReadyEvent.class))
                                || ContextRefreshedEvent.class.isAssignableFrom(event));
    }

    private static boolean hasAnnotationPastTheGuard(Method method) {
        return Stream.of(method.getAnnotations())
                .anyMatch(found -> ANNOTATIONS_PAST_THE_GUARD.contains(
                        found.annotationType().getName()));
    }
}
