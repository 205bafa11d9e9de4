package dev.election.internal.messages;

import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs handlers that run for long, once a type until no handler of that type runs. Thread-safe. */
final class HangWatch {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Time after which a running handler is logged. */
    static final Duration LONG = Duration.ofSeconds(10);

    private final LongSupplier nanos;
    private final Consumer<Runnable> later;

    /** When the handler of each message began. Guarded by this. */
    private final IdentityHashMap<Delivery, Long> begun = new IdentityHashMap<>();

    /** The types that were logged. Guarded by this. */
    private final LogLimit told = LogLimit.once();

    /** Whether {@link #look} is due later. Guarded by this. */
    private boolean isLooking;

    /**
     * Creates a watch.
     *
     * @param nanos the monotonic clock
     * @param later runs a task after {@link #LONG}
     */
    HangWatch(LongSupplier nanos, Consumer<Runnable> later) {
        this.nanos = nanos;
        this.later = later;
    }

    void begun(Delivery delivery) {
        boolean isFirst;
        synchronized (this) {
            begun.put(delivery, nanos.getAsLong());
            isFirst = !isLooking;
            isLooking = true;
        }
        if (isFirst) {
            later.accept(this::look);
        }
    }

    synchronized void ended(Delivery delivery) {
        begun.remove(delivery);
        if (begun.keySet().stream().noneMatch(other -> other.type().equals(delivery.type()))) {
            told.ends(delivery.type());
        }
    }

    private void look() {
        Set<String> hanging = new HashSet<>();
        boolean isLookingAgain;
        synchronized (this) {
            long before = nanos.getAsLong() - LONG.toNanos();
            begun.forEach((delivery, since) -> {
                if (since - before <= 0 && told.begins(delivery.type())) {
                    hanging.add(delivery.type());
                }
            });
            isLookingAgain = !begun.isEmpty();
            isLooking = isLookingAgain;
        }
        hanging.forEach(type -> log.warn(
                "A handler of messages of type '{}' has been running for {}. Further messages of that sender wait for it, and"
                        + " those of its type if {} of them run: look at the thread election-message",
                type,
                ReadableDuration.of(LONG),
                FairQueue.MOST_OF_A_TYPE));
        if (isLookingAgain) {
            later.accept(this::look);
        }
    }
}
