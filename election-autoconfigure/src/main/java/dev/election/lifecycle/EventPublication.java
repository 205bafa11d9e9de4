package dev.election.lifecycle;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes what happens in an election as Spring events; listen with {@code @EventListener} to one kind of
 * {@link LeadershipEvent} or to all.
 *
 * @param publisher where to
 */
public record EventPublication(ApplicationEventPublisher publisher) implements LeadershipListener {

    @Override
    public void onEvent(LeadershipEvent event) {
        publisher.publishEvent(event);
    }
}
