package dev.election.benchmarks;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** An empty Redis and as many node processes as a scenario asks for. */
final class Lab implements AutoCloseable {

    private final Processes processes = new Processes();
    private final Journal journal = new Journal();
    private final Path folder;
    private final RedisProcess redis;
    private final Contestant contestant;

    Lab() throws IOException, InterruptedException {
        this(Contestant.ELECTION);
    }

    Lab(Contestant contestant) throws IOException, InterruptedException {
        this.contestant = contestant;
        this.folder = Files.createTempDirectory("election-benchmarks-");
        this.redis = new RedisProcess(processes, folder);
    }

    RedisProcess redis() {
        return redis;
    }

    Journal journal() {
        return journal;
    }

    /** A process that waits for commands; see {@link Node}. */
    NodeProcess launch(String id, Duration lease) throws IOException, InterruptedException {
        String classPath = contestant.classPath().text(folder);
        NodeProcess node = new NodeProcess(contestant, classPath, id, redis.port(), lease, processes, journal);
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
    public void close() throws IOException, InterruptedException {
        processes.close();
        try (Stream<Path> files = Files.walk(folder)) {
            List<File> inner =
                    files.sorted(Comparator.reverseOrder()).map(Path::toFile).toList();
            inner.forEach(File::deleteOnExit);
            inner.forEach(File::delete);
        }
    }
}
