package dev.election.spring.scheduling;

import java.lang.reflect.Method;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.aop.support.AopUtils;
import org.springframework.core.CoroutinesUtils;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import reactor.core.publisher.Flux;

/** Calls a scheduled method as the scheduler does: it logs what the method throws, and subscribes to what it returns. */
final class MethodCall {

    private static final Logger log = LoggerFactory.getLogger(MethodCall.class);

    private MethodCall() {}

    /** Calls the method of that bean, which may be a proxy. Never throws. */
    static void make(String job, Supplier<Object> found, Method method) {
        try {
            Object bean = found.get();
            Method invocable = AopUtils.selectInvocableMethod(method, bean.getClass());
            if (KotlinDetector.isSuspendingFunction(invocable)) {
                Reactive.subscribe(job, CoroutinesUtils.invokeSuspendingFunction(invocable, bean));
                return;
            }
            ReflectionUtils.makeAccessible(invocable);
            Object result = ReflectionUtils.invokeMethod(invocable, bean);
            if (result != null && Reactive.IS_PRESENT && Reactive.isPublisher(invocable.getReturnType())) {
                Reactive.subscribe(job, result);
            }
        } catch (RuntimeException | Error failure) {
            failed(job, failure);
        }
    }

    private static void failed(String job, Throwable failure) {
        log.error("A late run of the job '{}', or one by hand, has failed", job, failure);
    }

    /** Subscribes to results. Not to be loaded without Reactor. */
    private static final class Reactive {

        static final boolean IS_PRESENT =
                ClassUtils.isPresent("reactor.core.publisher.Flux", MethodCall.class.getClassLoader());

        static boolean isPublisher(Class<?> type) {
            return !type.isPrimitive()
                    && ReactiveAdapterRegistry.getSharedInstance().getAdapter(type) != null;
        }

        static void subscribe(String job, Object result) {
            ReactiveAdapter adapter =
                    ReactiveAdapterRegistry.getSharedInstance().getAdapter(result.getClass(), result);
            Publisher<?> publisher = adapter == null ? Flux.empty() : adapter.toPublisher(result);
            Flux.from(publisher).subscribe(value -> {}, failure -> failed(job, failure));
        }
    }
}
