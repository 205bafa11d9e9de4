package dev.election.routing.internal.servlet;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * The body of a request, which is read without blocking, for one subscriber.
 *
 * <p>A call of the container and a demand of the subscriber may come at the same time, on two threads. One of them reads, and looks once more
 * for the other. The publisher of Spring Framework ignores data that the container reports while another thread is still finding none: the
 * request hangs then.
 */
final class ServletBody extends Flux<DataBuffer> implements ReadListener, Subscription {

    private static final Logger log = LoggerFactory.getLogger(ServletBody.class);

    private static final int PART = 8192;

    private final ServletInputStream stream;
    private final byte[] part = new byte[PART];
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicLong demand = new AtomicLong();
    private final CompletableFuture<@Nullable Void> called = new CompletableFuture<>();
    private final CompletableFuture<@Nullable Void> left = new CompletableFuture<>();
    private volatile @Nullable CoreSubscriber<? super DataBuffer> subscriber;
    private volatile @Nullable Throwable failure;
    /** The thread of the container while it reports data. */
    private volatile @Nullable Thread reporting;

    private volatile boolean isAllRead;
    private volatile boolean isOver;

    ServletBody(ServletInputStream stream) {
        this.stream = stream;
    }

    /** Completes when the container has called for the first time. */
    CompletableFuture<@Nullable Void> called() {
        return called;
    }

    /** Begins to hear from the container. */
    void listen() {
        stream.setReadListener(this);
    }

    /**
     * Fails if the stream has failed on this thread. Tomcat takes nothing of an answer then until it calls {@link #onError}, and nothing after
     * that call.
     */
    @Override
    public void onDataAvailable() throws IOException {
        reporting = Thread.currentThread();
        try {
            hear();
        } finally {
            reporting = null;
        }
        Throwable broken = failure;
        if (broken != null && !isOver) {
            throw broken instanceof IOException ofStream ? ofStream : new IOException(broken);
        }
    }

    @Override
    public void onAllDataRead() {
        isAllRead = true;
        hear();
    }

    @Override
    public void onError(@Nullable Throwable reason) {
        if (failure == null) {
            failure =
                    reason == null ? new IOException("The container does not say why the body can't be read") : reason;
        }
        hear();
    }

    private void hear() {
        called.complete(null);
        read();
    }

    @Override
    public void subscribe(CoreSubscriber<? super DataBuffer> actual) {
        if (subscriber != null) {
            Operators.error(actual, new IllegalStateException("The body of a request can be read once"));
            return;
        }
        actual.onSubscribe(this);
        subscriber = actual;
        read();
    }

    @Override
    public void request(long parts) {
        if (Operators.validate(parts)) {
            demand.accumulateAndGet(parts, Operators::addCap);
            read();
        }
    }

    @Override
    public void cancel() {
        isOver = true;
        read();
    }

    /**
     * Reads no more. Completes when no thread uses the stream: the container may give it to another request only then. Fails if the stream
     * has failed.
     */
    CompletableFuture<@Nullable Void> leave() {
        cancel();
        return left;
    }

    private void read() {
        if (calls.getAndIncrement() > 0) {
            return;
        }
        int seen = 1;
        while (seen > 0) {
            CoreSubscriber<? super DataBuffer> to = subscriber;
            if (to != null) {
                readWhatIsThere(to);
            }
            if (isOver) {
                endLeaving();
            }
            seen = calls.addAndGet(-seen);
        }
    }

    private void endLeaving() {
        Throwable broken = failure;
        if (broken == null) {
            left.complete(null);
        } else {
            left.completeExceptionally(broken);
        }
    }

    private void readWhatIsThere(CoreSubscriber<? super DataBuffer> to) {
        try {
            while (!isOver) {
                Throwable seen = failure;
                if (seen != null) {
                    throw seen;
                } else if (isAllRead || stream.isFinished()) {
                    end(to::onComplete);
                } else if (demand.get() == 0 || !stream.isReady() || isOver) {
                    return;
                } else {
                    // Nothing but the end of the stream, or of a chunk, may have been ready.
                    int length = stream.read(part);
                    if (length > 0) {
                        demand.updateAndGet(asked -> asked == Long.MAX_VALUE ? asked : asked - 1);
                        to.onNext(DefaultDataBufferFactory.sharedInstance.wrap(Arrays.copyOf(part, length)));
                    } else if (length < 0) {
                        end(to::onComplete);
                    }
                }
            }
        } catch (Throwable broken) {
            failure = broken;
            // A subscriber that has cancelled gets no signal, and the container has to report the failure itself.
            if (!isOver && Thread.currentThread() != reporting) {
                end(() -> to.onError(broken));
            }
        }
    }

    /** Sends the last signal. The subscriber may throw: the stream is left all the same. */
    private void end(Runnable signal) {
        isOver = true;
        try {
            signal.run();
        } catch (Throwable ofTheSubscriber) {
            log.warn("The end of the body of a request could not be told", ofTheSubscriber);
        }
    }
}
