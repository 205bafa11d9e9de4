package dev.election.testing;

import java.util.concurrent.ConcurrentLinkedDeque;

/** Closes what a test has opened, the latest first. If one close fails, the others are closed all the same. */
public final class Opened implements AutoCloseable {

    private final ConcurrentLinkedDeque<AutoCloseable> all = new ConcurrentLinkedDeque<>();

    public <T extends AutoCloseable> T add(T opened) {
        all.push(opened);
        return opened;
    }

    @Override
    public void close() throws Exception {
        AutoCloseable latest = all.poll();
        if (latest != null) {
            try {
                latest.close();
            } finally {
                close();
            }
        }
    }
}
