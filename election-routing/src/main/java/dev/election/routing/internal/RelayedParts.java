package dev.election.routing.internal;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;

/**
 * The parts of a response that wait to be written to the client, each as a publisher, so that each is flushed.
 *
 * <p>Spring and the server release buffers that they hold when a client goes away, but no publishers of buffers.
 */
final class RelayedParts {

    /** By identity: equal buffers may come one after the other. */
    private final Set<DataBuffer> waiting = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean isOver;

    /** The part as the response takes it. Empty once all is over. */
    synchronized Publisher<DataBuffer> add(DataBuffer buffer) {
        waiting.add(buffer);
        if (isOver) {
            releaseAll();
        }
        return Flux.defer(() -> take(buffer) ? Flux.just(buffer) : Flux.empty());
    }

    /** Releases what was not written. Nothing is written any more. */
    synchronized void end() {
        isOver = true;
        releaseAll();
    }

    private synchronized boolean take(DataBuffer buffer) {
        return waiting.remove(buffer);
    }

    private void releaseAll() {
        waiting.forEach(DataBufferUtils::release);
        waiting.clear();
    }
}
