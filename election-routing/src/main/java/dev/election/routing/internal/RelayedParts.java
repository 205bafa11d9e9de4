package dev.election.routing.internal;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import reactor.core.publisher.Flux;

/**
 * The parts of a response on their way to the client, of which each is flushed.
 *
 * <p>A client may go away while parts wait to be written. Whoever holds them then knows publishers and no buffers, and releases none.
 */
final class RelayedParts {

    private final Set<Part> waiting = new HashSet<>();
    private boolean isOver;

    /** The part as the response takes it. Empty once all is over. */
    synchronized Publisher<DataBuffer> add(DataBuffer buffer) {
        Part part = new Part(buffer);
        waiting.add(part);
        if (isOver) {
            releaseAll();
        }
        return Flux.defer(() -> take(part) ? Flux.just(buffer) : Flux.empty());
    }

    /** Nothing is written any more. Releases what was not. */
    synchronized void end() {
        isOver = true;
        releaseAll();
    }

    private synchronized boolean take(Part part) {
        return waiting.remove(part);
    }

    private void releaseAll() {
        List<Part> left = new ArrayList<>(waiting);
        waiting.clear();
        left.forEach(part -> DataBufferUtils.release(part.buffer));
    }

    /** Equal to itself only: equal buffers may come one after the other. */
    private static final class Part {

        private final DataBuffer buffer;

        private Part(DataBuffer buffer) {
            this.buffer = buffer;
        }
    }
}
