package dev.election.redis.internal.events;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Listens to a channel.
 *
 * @param read reads a message, empty for one without a meaning there
 * @param connected the event when the channel can be heard
 * @param anew the event when requests go over another connection than before, by the time since when
 * @param refused the event when the server refuses the subscription, if any
 * @param listener gets messages and events
 */
public record ChannelListener<E>(
        Function<String, Optional<? extends E>> read,
        Supplier<? extends E> connected,
        LongFunction<? extends E> anew,
        Optional<? extends E> refused,
        Consumer<E> listener) {

    void message(String text) {
        read.apply(text).ifPresent(listener);
    }

    void tellConnected() {
        listener.accept(connected.get());
    }

    void tellRefused() {
        refused.ifPresent(listener);
    }

    void tellConnectedAnew(long since) {
        listener.accept(anew.apply(since));
    }
}
