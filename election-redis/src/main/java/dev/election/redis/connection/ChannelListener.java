package dev.election.redis.connection;

import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Listens to a channel.
 *
 * @param read reads a message, empty for what means nothing there
 * @param connected what is told of a connection, and whether requests go over another one than before
 * @param listener hears both
 */
public record ChannelListener<E>(
        Function<String, Optional<? extends E>> read, Function<Boolean, ? extends E> connected, Consumer<E> listener) {

    void message(String text) {
        read.apply(text).ifPresent(listener);
    }

    void connected(boolean anew) {
        listener.accept(connected.apply(anew));
    }
}
