package dev.election.redis.internal;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongFunction;
import java.util.function.Supplier;

/**
 * Listens to a channel.
 *
 * @param read reads a message, empty for what means nothing there
 * @param connected what is told when the channel can be heard
 * @param anew what is told when requests go over another connection than before, and since when
 * @param refused what is told when the server refuses the subscription
 * @param listener hears all of it
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
