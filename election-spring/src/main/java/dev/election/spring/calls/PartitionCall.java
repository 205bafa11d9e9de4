package dev.election.spring.calls;

import dev.election.Election;
import org.jspecify.annotations.Nullable;

/** The call of a method for a partition, by the thread that makes it. */
public final class PartitionCall {

    private static final ThreadLocal<@Nullable Election> CALLED = new ThreadLocal<>();

    private PartitionCall() {}

    /** Makes a call for that partition. */
    public static void make(Election partition, Runnable call) {
        CALLED.set(partition);
        try {
            call.run();
        } finally {
            CALLED.remove();
        }
    }

    /** The partition for which this thread calls a method, once: what the method calls itself is another call. {@code null} if there is none. */
    public static @Nullable Election take() {
        Election partition = CALLED.get();
        CALLED.remove();
        return partition;
    }
}
