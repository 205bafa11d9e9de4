package dev.election.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Looks again and again whether two nodes lead at once. */
final class LeaderWatch implements AutoCloseable {

    private static final long BETWEEN_LOOKS = TimeUnit.MICROSECONDS.toNanos(200);

    private final List<Node> nodes;
    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Thread thread;
    private volatile boolean closed;
    private volatile long looks;

    /**
     * @param nodes may grow meanwhile
     */
    LeaderWatch(List<Node> nodes) {
        this.nodes = nodes;
        this.thread = new Thread(this::watch, "leader-watch");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        closed = true;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void assertThatNeverTwoLed() {
        assertThat(looks).as("looks taken").isPositive();
        assertThat(violations)
                .as("moments at which two led, in %d looks", looks)
                .isEmpty();
    }

    private void watch() {
        while (!closed) {
            for (Node one : nodes) {
                Optional<FencingToken> before = one.token();
                before.ifPresent(token -> compare(one, token));
            }
            looks = looks + 1;
            LockSupport.parkNanos(BETWEEN_LOOKS);
        }
    }

    /** A leadership never comes back under the same token: who has it before and after has it in between. */
    private void compare(Node one, FencingToken token) {
        for (Node other : nodes) {
            if (other == one || !other.isLeader()) {
                continue;
            }
            Optional<FencingToken> rival = other.token();
            if (one.isLeader() && one.token().equals(Optional.of(token))) {
                violations.add(one + " led with " + token + " while " + other + " led with " + rival);
            }
        }
    }
}
