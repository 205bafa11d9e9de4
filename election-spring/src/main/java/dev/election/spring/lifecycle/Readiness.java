package dev.election.spring.lifecycle;

import dev.election.spring.Candidacy;
import java.util.Optional;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;

/** Recognises the event with which a context is ready. */
public interface Readiness {

    /** The context whose events count; not those of its parent or its children. */
    ApplicationContext context();

    /** Whether candidacy begins before or after the runners of the application. */
    Candidacy candidacy();

    /** The part of the start that this process is known to wait for, empty if there is none. */
    default Optional<PendingStart> pending() {
        return Optional.empty();
    }

    /** Whether the context is ready with that event. */
    boolean isToldBy(ApplicationEvent event);
}
