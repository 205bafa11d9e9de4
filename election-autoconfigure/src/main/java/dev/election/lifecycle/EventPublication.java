package dev.election.lifecycle;

import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.springframework.context.ApplicationEventPublisher;

/**
 * Publishes leadership events as Spring events. Listen with {@code @EventListener} to one type of {@link LeadershipEvent} or to all.
 */
public final class EventPublication implements LeadershipListener {

    private final ApplicationEventPublisher publisher;

    /** The elections whose last published leadership has not been published to have ended. Guarded by this. */
    private final Set<String> open = new HashSet<>();

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
        try {
            publisher.publishEvent(event);
        } finally {
            note(event);
        }
    }

    /** Waits until the end of each published leadership has been published too, before the context closes. */
    synchronized void awaitEnds(Duration patience) throws InterruptedException {
        long deadline = System.nanoTime() + patience.toNanos();
        for (long left = patience.toNanos(); !open.isEmpty() && left > 0; left = deadline - System.nanoTime()) {
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }

    private synchronized void note(LeadershipEvent event) {
        if (event instanceof LeadershipEvent.Acquired) {
            open.add(event.election());
        } else if (event instanceof LeadershipEvent.Lost) {
            open.remove(event.election());
            notifyAll();
        }
    }
}
