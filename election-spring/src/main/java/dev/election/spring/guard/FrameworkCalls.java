package dev.election.spring.guard;

import java.lang.annotation.Annotation;
import java.lang.reflect.Method;
import java.util.Optional;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.annotation.MergedAnnotations.SearchStrategy;

/**
 * Finds methods that a framework calls, on a schedule or with an event or a message. The annotations are recognised by their names, since
 * their libraries are optional: {@code @Scheduled}, annotations that are annotated with {@code @MessageMapping}, as those of Kafka,
 * RabbitMQ, JMS and Pulsar are, and annotations whose names end in {@code Listener}. Annotations that are composed of these count as well.
 */
final class FrameworkCalls {

    private static final String SCHEDULED = "org.springframework.scheduling.annotation.Scheduled";
    private static final String MESSAGE_MAPPING = "org.springframework.messaging.handler.annotation.MessageMapping";

    private FrameworkCalls() {}

    /** The simple name of the annotation on that method by which the framework calls it, empty if there is none. */
    static Optional<String> caller(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).stream()
                .filter(FrameworkCalls::isCaller)
                .findFirst()
                .map(found -> found.getRoot().getType().getSimpleName());
    }

    static boolean isScheduled(Method method) {
        return MergedAnnotations.from(method, SearchStrategy.TYPE_HIERARCHY).isPresent(SCHEDULED);
    }

    private static boolean isCaller(MergedAnnotation<Annotation> found) {
        String name = found.getType().getName();
        return name.equals(SCHEDULED) || name.equals(MESSAGE_MAPPING) || name.endsWith("Listener");
    }
}
