package dev.election.harness;

import dev.election.harness.Conditions.Flow;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * One direction of a connection that is slow and loses segments, as TCP shows it to whoever uses it: a lost segment is sent again
 * after a timeout that doubles each time, and what was sent after it waits. Segments are under way at the same time.
 */
final class SlowWay implements AutoCloseable {

    /** Timeout of the first SYN, as RFC 6298 and Linux have it. */
    private static final long FIRST_TIMEOUT_OF_A_HANDSHAKE = TimeUnit.SECONDS.toNanos(1);

    /** Margin above the round trip: the least that Linux adds for its variance. */
    private static final long LEAST_MARGIN = TimeUnit.MILLISECONDS.toNanos(200);

    private final OutputStream to;
    private final Supplier<Flow> conditions;
    private final RandomGenerator random;
    private final Runnable broken;
    private final BlockingQueue<Segment> underWay = new LinkedBlockingQueue<>();

    private @Nullable Thread carrier;
    private boolean gone;
    private long left;

    /**
     * @param conditions at the present
     * @param broken told if nothing can be delivered any more
     */
    SlowWay(OutputStream to, Supplier<Flow> conditions, RandomGenerator random, Runnable broken) {
        this.to = to;
        this.conditions = conditions;
        this.random = random;
        this.broken = broken;
    }

    /** There and back, before the first segment. */
    void shakeHands() {
        enqueue(new Segment(new byte[0], System.nanoTime(), FIRST_TIMEOUT_OF_A_HANDSHAKE));
        enqueue(new Segment(new byte[0], System.nanoTime(), FIRST_TIMEOUT_OF_A_HANDSHAKE));
    }

    void send(byte[] bytes) {
        enqueue(new Segment(bytes, System.nanoTime(), 0));
    }

    /** Whether something was sent that has not arrived: nothing may overtake it. */
    synchronized boolean isBusy() {
        return left > 0;
    }

    /** Waits until everything has arrived or nothing can any more. */
    synchronized void awaitArrival() throws InterruptedException {
        while (left > 0 && !gone) {
            wait();
        }
    }

    private synchronized void enqueue(Segment segment) {
        if (carrier == null) {
            carrier = new Thread(this::carry, "link-slow-way");
            carrier.setDaemon(true);
            carrier.start();
        }
        left++;
        underWay.add(segment);
    }

    /** Drops the segments that have not arrived. */
    @Override
    public synchronized void close() {
        if (carrier != null) {
            carrier.interrupt();
        }
    }

    private void carry() {
        try {
            long established = Long.MIN_VALUE;
            while (true) {
                Segment segment = underWay.take();
                long sentAt = established == Long.MIN_VALUE ? segment.sentAt : later(segment.sentAt, established);
                long arrival = arrive(sentAt, segment.firstTimeout);
                if (segment.isOfAHandshake()) {
                    established = arrival;
                }
                to.write(segment.bytes);
                arrived();
            }
        } catch (IOException | InterruptedException over) {
            gone();
            broken.run();
        }
    }

    /** Waits for the arrival, and says when it was. */
    private long arrive(long sentAt, long firstTimeout) throws InterruptedException {
        long at = sentAt;
        long timeout = firstTimeout;
        while (true) {
            sleepUntil(at);
            // A link that has become well meanwhile loses nothing more, but the sender waits for its timeout all the
            // same.
            Flow.Slow slow = conditions.get() instanceof Flow.Slow now ? now : Flow.Slow.NOT;
            if (timeout == 0) {
                timeout = slow.delayNanos() * 2 + LEAST_MARGIN;
            }
            if (random.nextDouble() >= slow.loss()) {
                sleepUntil(at + slow.delayNanos());
                return at + slow.delayNanos();
            }
            at += timeout;
            timeout *= 2;
        }
    }

    private synchronized void arrived() {
        left--;
        notifyAll();
    }

    private synchronized void gone() {
        gone = true;
        notifyAll();
    }

    private static long later(long one, long other) {
        return one - other > 0 ? one : other;
    }

    private static void sleepUntil(long time) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(time - System.nanoTime());
    }

    private static final class Segment {

        private final byte[] bytes;
        private final long sentAt;

        /** 0 if it follows from the round trip. */
        private final long firstTimeout;

        Segment(byte[] bytes, long sentAt, long firstTimeout) {
            this.bytes = bytes;
            this.sentAt = sentAt;
            this.firstTimeout = firstTimeout;
        }

        boolean isOfAHandshake() {
            return firstTimeout > 0;
        }
    }
}
