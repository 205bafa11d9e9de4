package dev.election.aop;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Interrupts running calls when leadership is lost. */
final class Interruptions {

    private final Map<String, Watch> watches = new ConcurrentHashMap<>();

    /** Registers the calling thread. It is interrupted at most once, and closing the call clears that interrupt. */
    Call enterThisThread(Election election, FencingToken token) {
        Thread thread = Thread.currentThread();
        boolean interruptedBefore = thread.isInterrupted();
        return enter(election, token, thread::interrupt, () -> {
            if (!interruptedBefore) {
                // The interrupt was for this call; the next blocking step of the caller must not fail because of it.
                Thread.interrupted();
            }
        });
    }

    /** Registers a call that the action interrupts, at most once and not after it has been closed. */
    Call enter(Election election, FencingToken token, Runnable interrupt) {
        return enter(election, token, interrupt, () -> {});
    }

    private Call enter(Election election, FencingToken token, Runnable interrupt, Runnable undo) {
        Watch watch = watches.computeIfAbsent(election.name(), name -> {
            Watch fresh = new Watch();
            election.addListener(fresh);
            return fresh;
        });
        Call call = new Call(watch, token, interrupt, undo);
        watch.calls.add(call);
        if (call.isOutlived()) {
            // The loss may have been notified just before this call was registered.
            call.interrupt();
        }
        return call;
    }

    private static final class Watch implements LeadershipListener {

        private final Set<Call> calls = ConcurrentHashMap.newKeySet();
        private volatile @Nullable FencingToken lost;

        @Override
        public void onLost(LeadershipEvent.Lost event) {
            lost = event.token();
            calls.stream().filter(Call::isOutlived).forEach(Call::interrupt);
        }
    }

    static final class Call implements AutoCloseable {

        private final Watch watch;
        private final FencingToken token;
        private final Runnable interrupt;
        private final Runnable undo;
        private boolean interrupted;
        private boolean over;

        private Call(Watch watch, FencingToken token, Runnable interrupt, Runnable undo) {
            this.watch = watch;
            this.token = token;
            this.interrupt = interrupt;
            this.undo = undo;
        }

        private boolean isOutlived() {
            FencingToken lost = watch.lost;
            return lost != null && !token.isNewerThan(lost);
        }

        private synchronized void interrupt() {
            if (!over && !interrupted) {
                interrupted = true;
                interrupt.run();
            }
        }

        @Override
        public synchronized void close() {
            over = true;
            watch.calls.remove(this);
            if (interrupted) {
                undo.run();
            }
        }
    }
}
