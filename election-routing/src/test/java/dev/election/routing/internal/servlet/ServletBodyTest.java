package dev.election.routing.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import org.springframework.core.io.buffer.DataBuffer;
import reactor.core.publisher.BaseSubscriber;

class ServletBodyTest {

    private final Bytes stream = new Bytes();
    private final ServletBody body = new ServletBody(stream);
    private final Reader reader = new Reader();

    @Test
    void data_that_comes_while_none_is_found_is_read() {
        body.subscribe(reader);
        // The container calls before the thread that asks has heard that nothing is ready.
        stream.whenNotReady = () -> {
            stream.whenNotReady = () -> {};
            stream.come(1);
            dataComes();
        };

        reader.request(10);

        assertThat(reader.heard).containsExactly("1");
    }

    @Test
    void each_part_of_two_threads_arrives_once_and_in_order() throws Exception {
        int parts = 50_000;
        ExecutorService container = Executors.newSingleThreadExecutor();
        stream.last = parts;
        stream.whenNotReady = () -> container.execute(() -> {
            stream.come(Math.min(parts, stream.come + 3));
            dataComes();
        });
        body.subscribe(reader);

        for (int asked = 0; asked < parts && reader.end == null; asked++) {
            reader.request(1);
        }

        assertThat(reader.ended.await(1, TimeUnit.MINUTES)).isTrue();
        assertThat(reader.heard)
                .hasSize(parts)
                .isSortedAccordingTo((a, b) -> Integer.parseInt(a) - Integer.parseInt(b));
        assertThat(reader.end).isEqualTo("complete");
        container.shutdown();
    }

    @Test
    void nothing_is_read_that_nobody_has_asked_for() {
        stream.come(3);
        body.subscribe(reader);
        dataComes();
        assertThat(reader.heard).isEmpty();

        reader.request(2);
        assertThat(reader.heard).containsExactly("1", "2");
    }

    @Test
    void the_end_is_told_without_a_demand() {
        stream.last = 0;
        body.subscribe(reader);
        body.onAllDataRead();

        assertThat(reader.end).isEqualTo("complete");
        assertThat(body.called()).isCompleted();
    }

    @Test
    void a_failure_before_somebody_reads_is_told_to_the_reader() {
        body.onError(new IOException("reset"));
        body.subscribe(reader);

        assertThat(reader.end).isEqualTo("reset");
    }

    @Test
    void a_failure_of_the_stream_is_told() {
        stream.come(2);
        stream.failsAt = 2;
        body.subscribe(reader);
        reader.request(5);

        assertThat(reader.heard).containsExactly("1");
        assertThat(reader.end).isEqualTo("closed");
    }

    /** A request whose stream has failed ends as a failed one. */
    @Test
    void a_stream_that_has_failed_is_not_left_as_a_whole_one() {
        stream.come(1);
        stream.failsAt = 1;
        body.subscribe(reader);
        reader.request(1);

        assertThat(body.leave())
                .failsWithin(Duration.ZERO)
                .withThrowableThat()
                .withRootCauseInstanceOf(IOException.class);
    }

    @Test
    void nothing_is_read_after_a_cancellation() {
        stream.come(2);
        body.subscribe(reader);
        reader.request(1);
        reader.cancel();
        dataComes();

        assertThat(reader.heard).containsExactly("1");
        assertThat(reader.end).isNull();
    }

    @Test
    void the_stream_is_left_when_the_thread_that_reads_it_has_finished() {
        body.subscribe(reader);
        List<Boolean> left = new ArrayList<>();
        stream.whenNotReady = () -> left.add(body.leave().isDone());

        reader.request(1);

        assertThat(left).containsExactly(false);
        assertThat(body.leave()).isCompleted();
    }

    @Test
    void a_stream_that_nobody_reads_is_left_at_once() {
        assertThat(body.leave()).isCompleted();
    }

    @Test
    void an_error_in_the_midst_ends_the_reading() {
        stream.whenNotReady = () -> {
            throw new OutOfMemoryError("heap");
        };
        body.subscribe(reader);
        reader.request(1);

        assertThat(reader.end).isEqualTo("heap");
    }

    @Test
    void a_second_reader_is_refused() {
        body.subscribe(reader);
        Reader second = new Reader();
        body.subscribe(second);

        assertThat(second.end).contains("can be read once");
    }

    /** Tomcat takes no answer before. */
    @Test
    void a_failure_on_the_thread_of_the_container_is_told_when_the_container_reports_it() {
        body.subscribe(reader);
        reader.request(1);
        stream.come(1);
        stream.failsAt = 1;

        assertThatThrownBy(body::onDataAvailable).hasMessage("closed");
        assertThat(reader.end).isNull();

        body.onError(new IOException("reported"));
        assertThat(reader.end).isEqualTo("closed");
    }

    private void dataComes() {
        try {
            body.onDataAvailable();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Parts "1", "2" and so on. */
    private static final class Bytes extends ServletInputStream {

        private volatile int come;
        private volatile int last = Integer.MAX_VALUE;
        private volatile int failsAt = Integer.MAX_VALUE;
        private volatile Runnable whenNotReady = () -> {};
        private int read;

        private void come(int part) {
            come = part;
        }

        @Override
        public boolean isFinished() {
            return read == last;
        }

        @Override
        public boolean isReady() {
            boolean isReady = read < come;
            if (!isReady) {
                whenNotReady.run();
            }
            return isReady;
        }

        @Override
        public int read(byte[] bytes, int offset, int length) throws IOException {
            if (read + 1 == failsAt) {
                throw new IOException("closed");
            }
            byte[] part = Integer.toString(++read).getBytes(StandardCharsets.US_ASCII);
            System.arraycopy(part, 0, bytes, offset, part.length);
            return part.length;
        }

        @Override
        public int read() {
            throw new UnsupportedOperationException();
        }

        @Override
        public void setReadListener(ReadListener listener) {
            throw new UnsupportedOperationException();
        }
    }

    private static final class Reader extends BaseSubscriber<DataBuffer> {

        private final List<String> heard = new ArrayList<>();
        private final CountDownLatch ended = new CountDownLatch(1);
        private volatile @Nullable String end;

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // Each test asks for what it needs.
        }

        @Override
        protected void hookOnNext(DataBuffer part) {
            heard.add(part.toString(StandardCharsets.US_ASCII));
        }

        @Override
        protected void hookOnComplete() {
            end = "complete";
            ended.countDown();
        }

        @Override
        protected void hookOnError(Throwable failure) {
            end = failure.getMessage();
            ended.countDown();
        }
    }
}
