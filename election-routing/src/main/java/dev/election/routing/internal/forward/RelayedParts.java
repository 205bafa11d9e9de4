package dev.election.routing.internal.forward;

import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;

/**
 * The parts of a body that wait to be passed on. What was not taken is released at the end.
 *
 * <p>Spring, Reactor and the servers release most buffers that they drop, but not all: not those within a publisher, and not the only part of a
 * body behind {@code switchOnFirst}.
 */
public final class RelayedParts {

    /** Parts that nobody has taken yet. Identity tells them apart, since two equal buffers may come one after the other. */
    private final Set<DataBuffer> waiting = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean isOver;

    /** Keeps a part. Whoever calls what is returned gets it and owns it, unless all is over. */
    public synchronized Supplier<@Nullable DataBuffer> add(DataBuffer part) {
        waiting.add(part);
        if (isOver) {
            releaseAll();
        }
        return () -> take(part);
    }

    /** Releases what was not taken. Nothing is passed on any more. */
    public synchronized void end() {
        isOver = true;
        releaseAll();
    }

    private synchronized @Nullable DataBuffer take(DataBuffer part) {
        return waiting.remove(part) ? part : null;
    }

    private void releaseAll() {
        waiting.forEach(DataBufferUtils::release);
        waiting.clear();
    }
}
