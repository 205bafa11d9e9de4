package dev.election.spring.lifecycle;

import dev.election.spring.Candidacy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;

/** Recognises the event with which a context is ready. */
public interface Readiness {

    /** The context whose events count; not those of its parent or its children. */
    ApplicationContext context();

    /** Whether candidacy begins before or after the runners of the application. */
    Candidacy candidacy();

    /** Whether the context is ready with that event. */
    boolean isToldBy(ApplicationEvent event);
}
