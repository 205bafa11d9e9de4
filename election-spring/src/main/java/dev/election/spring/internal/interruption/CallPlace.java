package dev.election.spring.internal.interruption;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * The place of a guarded call at the moment: the thread of its caller, one to which later advice has moved it, a coroutine, or none that is
 * known. Ends the call there, and knows when it has left all threads.
 */
public final class CallPlace {

    /** The threads that the call is on, the one that it has entered last first. Guarded by this, as are the following fields. */
    private final Deque<OneInterrupt> threads = new ArrayDeque<>();

    private @Nullable Runnable cancellation;
    private @Nullable Runnable end;
    private boolean stopped;
    private boolean ended;

    /**
     * Notes that the call runs on this thread, until the stay is closed.
     *
     * @throws CancellationException if the call has ended: its future was cancelled before it began on this thread
     */
    public Stay enter() {
        OneInterrupt interrupt = OneInterrupt.ofThisThread();
        synchronized (this) {
            if (ended) {
                throw new CancellationException("The call was cancelled before it began");
            }
            threads.push(interrupt);
            if (stopped) {
                interrupt.interrupt();
            }
        }
        return () -> leave(interrupt);
    }

    /** Notes that the call goes on in a coroutine, which the action cancels. */
    public void cancelledBy(Runnable action) {
        synchronized (this) {
            cancellation = action;
            if (!stopped) {
                return;
            }
        }
        action.run();
    }

    /** Ends the call where it is. To be called once. */
    public Stopping stop() {
        Runnable action;
        synchronized (this) {
            stopped = true;
            OneInterrupt thread = threads.peek();
            if (thread != null) {
                thread.interrupt();
                return Stopping.INTERRUPTED;
            }
            action = cancellation;
        }
        if (action == null) {
            return Stopping.IMPOSSIBLE;
        }
        action.run();
        return Stopping.CANCELLED;
    }

    /** Runs the action as soon as the call, whose result is complete, has left its threads. A cancelled future does not wait for them. */
    public void endWith(Runnable action) {
        synchronized (this) {
            if (!threads.isEmpty()) {
                end = action;
                return;
            }
            ended = true;
        }
        action.run();
    }

    private void leave(OneInterrupt interrupt) {
        interrupt.close();
        Runnable action;
        synchronized (this) {
            threads.remove(interrupt);
            action = end;
            if (action == null || !threads.isEmpty()) {
                return;
            }
            end = null;
            ended = true;
        }
        action.run();
    }

    /** A period in which a call is on a thread. To be closed by that thread. */
    public interface Stay extends AutoCloseable {
        @Override
        void close();
    }
}
