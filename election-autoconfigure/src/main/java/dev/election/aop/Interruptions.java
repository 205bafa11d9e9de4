package dev.election.aop;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** The calls that want to be interrupted when leadership is lost. */
final class Interruptions {

    private final Map<String, Watch> watches = new ConcurrentHashMap<>();

    /** Enters the calling thread; it is interrupted at most once, and nothing of that is left when it has been closed. */
    Call enterThisThread(Election election, FencingToken token) {
        Thread thread = Thread.currentThread();
        boolean interruptedBefore = thread.isInterrupted();
        return enter(election, token, thread::interrupt, () -> {
            if (!interruptedBefore) {
                // It was meant for this call; the caller's next blocking step must not fail for it.
                Thread.interrupted();
            }
        });
    }

    /** Enters what is interrupted by that action, at most once and not after it has been closed. */
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
            // The loss may have been told just before this call was entered.
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
