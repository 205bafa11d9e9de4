package dev.election.spring.internal.lifecycle;

import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.PayloadApplicationEvent;
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

    /** Whether there is a listener that names one of them. */
    public boolean isPresent() {
        return context instanceof AbstractApplicationContext asked
                && asked.getApplicationListeners().stream().anyMatch(this::isNamedBy);
    }

    /** One that hears any event names none. */
    private boolean isNamedBy(ApplicationListener<?> listener) {
        return events.stream().anyMatch(event -> hears(listener, event)) && !hears(listener, AnyRecord.class);
    }

    private static boolean hears(ApplicationListener<?> listener, Class<?> event) {
        return new GenericApplicationListenerAdapter(listener)
                .supportsEventType(ResolvableType.forClassWithGenerics(PayloadApplicationEvent.class, event));
    }

    /** Only what hears events of any type hears this one. */
    private record AnyRecord() {}
}
