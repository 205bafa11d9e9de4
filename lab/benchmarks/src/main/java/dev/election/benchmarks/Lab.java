package dev.election.benchmarks;

import dev.election.harness.Children;
import dev.election.harness.TemporaryFolders;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** An empty Redis and as many node processes as a scenario asks for. */
final class Lab implements AutoCloseable {

    private final Children children = new Children();
    private final Journal journal = new Journal();
    private final Path folder;
    private final ObservedRedis redis;
    private final Contestant contestant;

    Lab() {
        this(Contestant.ELECTION);
    }

    Lab(Contestant contestant) {
        this.contestant = contestant;
        this.folder = TemporaryFolders.create("election-benchmarks-");
        this.redis = ObservedRedis.start(folder, children);
    }

    ObservedRedis redis() {
        return redis;
    }

    Journal journal() {
        return journal;
    }

    /** A process that waits for commands; see {@link Node}. */
    NodeProcess launch(String id, Duration lease) throws IOException, InterruptedException {
        String classPath = contestant.classPath().text(folder);
        NodeProcess node = new NodeProcess(contestant, classPath, id, redis.port(), lease, children, journal);
        node.ask("hello", "HELLO");
        return node;
    }

    /** A node that takes part in the default election and reports what {@code isLeader()} says. */
    NodeProcess join(String id, Duration lease, Observation observation) throws IOException, InterruptedException {
        NodeProcess node = launch(id, lease);
        node.ask("open", "OPENED");
        node.ask("connect", "CONNECTED");
        node.ask("join default", "JOINED");
        node.ask(observation.command("default"), "OBSERVED");
        node.ask("start", "STARTED");
        node.ask("result default", "RESULT");
        return node;
    }

    @Override
    public void close() {
        children.close();
    }
}
