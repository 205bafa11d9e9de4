package dev.election.playground;

import com.example.sample.replicas.ReplicaProcess;
import dev.election.harness.Conditions;
import dev.election.harness.Link;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A replica and its way to Redis. */
final class Member {

    private final String name;
    private final Link link;
    private final Start start;
    private volatile ReplicaProcess process;
    private volatile @Nullable Pause pause;
    private volatile boolean isCutOff;

    /** Starts the replica. */
    Member(String name, int redisPort, Start start) throws IOException {
        this.name = name;
        this.link = new Link(redisPort);
        this.start = start;
        this.process = start.start(name, link.port());
    }

    String name() {
        return name;
    }

    long pid() {
        return process.pid();
    }

    State state() {
        if (!process.isAlive()) {
            return State.DEAD;
        }
        return pause == null ? State.RUNNING : State.PAUSED;
    }

    boolean isCutOff() {
        return isCutOff;
    }

    /** Where it answers; empty while it starts and when it has ended. */
    Optional<String> address() {
        return process.isAlive() ? process.address().getNow(Optional.empty()) : Optional.empty();
    }

    /** Waits until it answers or has ended. */
    void awaitReady() {
        process.address().join();
    }

    void kill() throws IOException, InterruptedException {
        demand(process.isAlive(), "has ended already");
        process.kill();
        resumeIfPaused();
    }

    void pause() throws IOException {
        demand(process.isAlive(), "does not run");
        demand(pause == null, "is paused already");
        pause = Pause.of(process.pid());
    }

    void resume() throws IOException, InterruptedException {
        demand(pause != null, "is not paused");
        resumeIfPaused();
    }

    /** Nothing passes between it and Redis from now on, and neither sees an end of the connection. */
    void cutOff() {
        demand(!isCutOff, "is cut off already");
        isCutOff = true;
        link.become(Conditions.CUT);
    }

    /** Connects the replica again; bytes that were held back arrive now. */
    void reconnect() {
        demand(isCutOff, "is not cut off");
        isCutOff = false;
        link.become(Conditions.FINE);
    }

    void startAgain() throws IOException {
        demand(!process.isAlive(), "runs");
        process = start.start(name, link.port());
    }

    /** Asks it to end in an orderly way, also if it stands still. */
    void stop() throws IOException, InterruptedException {
        resumeIfPaused();
        process.stop();
    }

    boolean hasEndedWithin(Duration patience) throws InterruptedException {
        return process.hasEndedWithin(patience);
    }

    private void resumeIfPaused() throws IOException, InterruptedException {
        Pause present = pause;
        if (present != null) {
            present.close();
            pause = null;
        }
    }

    private void demand(boolean condition, String otherwise) {
        if (!condition) {
            throw new IllegalStateException(name + " " + otherwise);
        }
    }

    enum State {
        RUNNING,
        PAUSED,
        DEAD
    }

    /** Starts the process of a replica. */
    interface Start {
        ReplicaProcess start(String name, int redisPort) throws IOException;
    }
}
