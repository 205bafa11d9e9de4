package dev.election.quartz.internal;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.quartz.simpl.SimpleThreadPool;

/** Quartz's own threads, of which it can be told whether a firing is on its way. Quartz makes it, and a test finds it by its name. */
public final class CountedThreadPool extends SimpleThreadPool {

    private static final Map<String, CountedThreadPool> POOLS = new ConcurrentHashMap<>();

    private final AtomicInteger underWay = new AtomicInteger();

    static CountedThreadPool named(String name) {
        CountedThreadPool pool = POOLS.remove(name);
        if (pool == null) {
            throw new IllegalStateException("Quartz has made no pool " + name);
        }
        return pool;
    }

    /** A property, as Quartz sets it. */
    public void setName(String name) {
        POOLS.put(name, this);
    }

    @Override
    public boolean runInThread(Runnable firing) {
        underWay.incrementAndGet();
        boolean accepted = super.runInThread(() -> {
            try {
                firing.run();
            } finally {
                underWay.decrementAndGet();
            }
        });
        if (!accepted) {
            underWay.decrementAndGet();
        }
        return accepted;
    }

    /** Quartz waits for idle threads too, each of which looks only every half a second whether it shall end. */
    @Override
    public void shutdown(boolean waitForFirings) {
        super.shutdown(false);
        if (waitForFirings) {
            Journal.await().until(this::isIdle);
        }
    }

    boolean isIdle() {
        return underWay.get() == 0;
    }
}
