package dev.election.autoconfigure.internal;

import dev.election.spring.Candidacy;
import dev.election.spring.lifecycle.PendingStart;
import dev.election.spring.lifecycle.Readiness;
import java.util.Optional;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * Recognises the event with which a context is ready: one of Spring Boot's if Spring Boot runs the context, or else its refresh.
 *
 * @param context whose events count; not those of its parent or its children
 * @param candidacy which event of Spring Boot counts
 */
public record BootReadiness(ApplicationContext context, Candidacy candidacy) implements Readiness {

    /** Spring Boot registers this bean in each context that it runs, and publishes an event when the context is ready. */
    private static final String DRIVEN_BY_BOOT = "springApplicationArguments";

    @Override
    public Optional<PendingStart> pending() {
        // Must not create it: another thread does so, which may hold the lock of all singletons.
        return context instanceof ConfigurableApplicationContext known
                        && known.getBeanFactory().getSingleton(OnceTasks.NAME) instanceof OnceTasks tasks
                ? tasks.pending()
                : Optional.empty();
    }

    @Override
    public boolean isToldBy(ApplicationEvent event) {
        boolean readied =
                switch (candidacy) {
                    case AFTER_RUNNERS ->
                        event instanceof ApplicationReadyEvent of && of.getApplicationContext() == context;
                    case BEFORE_RUNNERS ->
                        event instanceof ApplicationStartedEvent of && of.getApplicationContext() == context;
                };
        boolean refreshed = event instanceof ContextRefreshedEvent of
                && of.getApplicationContext() == context
                && !context.containsLocalBean(DRIVEN_BY_BOOT);
        return readied || refreshed;
    }
}
