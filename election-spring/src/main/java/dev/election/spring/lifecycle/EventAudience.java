package dev.election.spring.lifecycle;

import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.context.PayloadApplicationEvent;
import org.springframework.context.event.GenericApplicationListener;
import org.springframework.context.event.GenericApplicationListenerAdapter;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.core.ResolvableType;

/**
 * Tells whether an application listens to events of some types as Spring events.
 *
 * @param context the context of the application, all of whose singletons have been created
 * @param events their types
 */
public record EventAudience(ApplicationContext context, List<? extends Class<?>> events) {

    private static final ResolvableType ANY = payload(AnyRecord.class);

    /** Whether there is a listener that names one of them. */
    public boolean isPresent() {
        List<ResolvableType> payloads =
                events.stream().map(EventAudience::payload).toList();
        return context instanceof AbstractApplicationContext asked
                && asked.getApplicationListeners().stream()
                        .map(GenericApplicationListenerAdapter::new)
                        .anyMatch(listener -> names(listener, payloads));
    }

    /** Whether a listener names one of the events. A listener to events of any type names none. */
    private static boolean names(GenericApplicationListener listener, List<ResolvableType> payloads) {
        return payloads.stream().anyMatch(listener::supportsEventType) && !listener.supportsEventType(ANY);
    }

    private static ResolvableType payload(Class<?> event) {
        return ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, event);
    }

    /** An event that only listeners to events of any type receive. */
    private record AnyRecord() {}
}
