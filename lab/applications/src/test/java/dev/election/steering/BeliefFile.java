package dev.election.steering;

import dev.election.Election;
import dev.election.FencingToken;
import dev.election.Leadership;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.DisposableBean;

/**
 * Asks {@code isLeader()} again and again, and keeps a line for each leadership in a file: its token, and from when until when this process
 * believed that it leads. What was written survives a {@code kill -9}.
 */
final class BeliefFile implements DisposableBean {

    private static final long PAUSE_NANOS = 5_000_000;

    private final Election election;
    private final RandomAccessFile file;
    private final Thread poll = new Thread(this::run, "belief-file");
    private volatile boolean isOver;

    private @Nullable FencingToken token;
    private long line;
    private long since;

    BeliefFile(Election election, Path folder) {
        this.election = election;
        try {
            file = new RandomAccessFile(
                    folder.resolve(ProcessHandle.current().pid() + ".beliefs").toFile(), "rw");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        poll.setDaemon(true);
        poll.start();
    }

    private void run() {
        try (file) {
            while (!isOver) {
                look();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** An answer holds between two readings of the clock: a belief lasts from after the first one to before the last. */
    private void look() throws IOException {
        long askedAt = System.nanoTime();
        Optional<Leadership> held = election.isLeader() ? election.leadership() : Optional.empty();
        long answeredAt = System.nanoTime();
        if (held.isPresent()) {
            FencingToken present = held.get().token();
            if (!present.equals(token)) {
                token = present;
                line = file.length();
                since = answeredAt;
            }
            file.seek(line);
            file.write("%020d %020d %020d%n"
                    .formatted(present.value(), since, Math.max(since, askedAt))
                    .getBytes(StandardCharsets.UTF_8));
        }
    }

    @Override
    public void destroy() throws InterruptedException {
        isOver = true;
        poll.join();
    }
}
