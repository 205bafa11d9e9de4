package dev.election.spring.internal.guard;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/**
 * Where a guarded call is at the moment: on the thread of its caller, on one to which later advice has moved it, in a coroutine, or at no
 * place that is known. Ends the call there, and knows when it has left all threads.
 */
final class CallPlace {

    /** The one that the call has entered last is the first. Guarded by this, as are the following fields. */
    private final Deque<OneInterrupt> threads = new ArrayDeque<>();

    private @Nullable Runnable cancellation;
    private @Nullable Runnable end;
    private boolean stopped;
    private boolean ended;

    /**
     * The call runs on this thread until that is closed.
     *
     * @throws CancellationException if the call has ended: its future was cancelled before it began on this thread
     */
    Stay enter() {
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

    /** The call goes on in a coroutine, which that action cancels. */
    void cancelledBy(Runnable action) {
        synchronized (this) {
            cancellation = action;
            if (!stopped) {
                return;
            }
        }
        action.run();
    }

    /** Ends the call where it is. To be called once. */
    Stopping stop() {
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

    /** The result of the call is complete: runs the action as soon as the call has left its threads, which a cancelled future does not await. */
    void endWith(Runnable action) {
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
    interface Stay extends AutoCloseable {
        @Override
        void close();
    }
}
