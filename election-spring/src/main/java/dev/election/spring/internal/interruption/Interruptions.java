package dev.election.spring.internal.interruption;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import dev.election.LeadershipListener;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Interrupts running calls when leadership is lost. */
public final class Interruptions {

    private final Map<String, Watch> watches = new ConcurrentHashMap<>();

    /** Registers the calling thread. It is interrupted at most once, and closing the call clears that interrupt. */
    public Call enterThisThread(Election election, FencingToken token) {
        return enter(election, token, OneInterrupt.ofThisThread());
    }

    /** Registers a call that the action interrupts, at most once and not after it has been closed. */
    public Call enter(Election election, FencingToken token, Runnable interrupt) {
        return enter(election, token, new OneInterrupt(interrupt, () -> {}));
    }

    private Call enter(Election election, FencingToken token, OneInterrupt interrupt) {
        Watch watch = watches.computeIfAbsent(election.name(), name -> {
            Watch fresh = new Watch();
            election.addListener(fresh);
            return fresh;
        });
        Call call = new Call(watch, token, interrupt);
        watch.calls.add(call);
        if (call.isOutlived()) {
            // The loss may have been notified just before this call was registered.
            call.interrupt.interrupt();
        }
        return call;
    }

    private static final class Watch implements LeadershipListener {

        private final Set<Call> calls = ConcurrentHashMap.newKeySet();
        private volatile @Nullable FencingToken lost;

        @Override
        public void onLost(LeadershipEvent.Lost event) {
            lost = event.token();
            calls.stream().filter(Call::isOutlived).forEach(call -> call.interrupt.interrupt());
        }
    }

    public static final class Call implements AutoCloseable {

        private final Watch watch;
        private final FencingToken token;
        private final OneInterrupt interrupt;

        private Call(Watch watch, FencingToken token, OneInterrupt interrupt) {
            this.watch = watch;
            this.token = token;
            this.interrupt = interrupt;
        }

        private boolean isOutlived() {
            FencingToken lost = watch.lost;
            return lost != null && !token.isNewerThan(lost);
        }

        @Override
        public void close() {
            watch.calls.remove(this);
            interrupt.close();
        }
    }
}
