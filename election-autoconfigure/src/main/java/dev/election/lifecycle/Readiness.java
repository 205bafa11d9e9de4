package dev.election.lifecycle;

import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.boot.context.event.ApplicationStartedEvent;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationEvent;
import org.springframework.context.event.ContextRefreshedEvent;

/**
 * When a context is ready to work: as Spring Boot says, or else when it is refreshed.
 *
 * @param context the one that counts; neither its parent nor its children
 * @param candidacy of what Spring Boot says, what counts
 */
public record Readiness(ApplicationContext context, Candidacy candidacy) {

    /** Spring Boot puts this bean into a context that it is about to run; it will say when that is ready. */
    private static final String DRIVEN_BY_BOOT = "springApplicationArguments";

    boolean isToldBy(ApplicationEvent event) {
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
