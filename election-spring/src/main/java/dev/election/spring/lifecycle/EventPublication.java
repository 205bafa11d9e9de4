package dev.election.spring.lifecycle;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes leadership events as Spring events. Listen with {@code @EventListener} to one type of {@link LeadershipEvent} or to all.
 */
public final class EventPublication implements LeadershipListener {

    private final ApplicationEventPublisher publisher;

    /**
     * Creates the publication.
     *
     * @param publisher publishes the events
     */
    public EventPublication(ApplicationEventPublisher publisher) {
        this.publisher = publisher;
    }

    @Override
    public void onEvent(LeadershipEvent event) {
        publisher.publishEvent(event);
    }

    /** Named in the log when a listener of the application throws. */
    @Override
    public String toString() {
        return "of Spring events (@EventListener, ApplicationListener)";
    }
}
