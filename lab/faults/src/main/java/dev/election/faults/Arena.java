package dev.election.faults;

import dev.election.faults.history.Entry;
import dev.election.faults.history.HistoryFile;
import dev.election.faults.nemesis.Nemesis;
import dev.election.faults.nemesis.Plan;
import dev.election.faults.node.Node;
import dev.election.faults.world.Cluster;
import dev.election.faults.world.Database;
import dev.election.faults.world.DatabaseAddress;
import dev.election.faults.world.DatabasePair;
import dev.election.faults.world.Fences;
import dev.election.faults.world.Group;
import dev.election.faults.world.Kubernetes;
import dev.election.faults.world.OneMember;
import dev.election.faults.world.Sentinels;
import dev.election.faults.world.Standalone;
import dev.election.faults.world.Topology;
import dev.election.harness.Children;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** Lets several groups suffer at the same time, each over a store of its own, and keeps their histories in a folder. */
public final class Arena implements AutoCloseable {

    private final Path folder;
    private final Children children = new Children();
    private final Fences fences;
    private final double rest;

    /**
     * Opens one.
     *
     * @param folder where everything is written
     * @param rest how many leases lie between two episodes of a group on average, at least one
     */
    public Arena(Path folder, double rest) throws IOException, SQLException {
        this.rest = rest;
        this.folder = Files.createDirectories(folder);
        this.fences = new Fences(children, folder);
    }

    /**
     * A group, and the plan for it.
     *
     * @param name of the group
     * @param kind of its store
     * @param lease of its election
     * @param plan of the faults
     * @param nodeClass the main class of its nodes
     * @param size of the group
     * @param earlier the class path of an earlier build, which every second node is of; {@code null} for none
     */
    public record Assignment(
            String name,
            Plan.Kind kind,
            Duration lease,
            Plan plan,
            Class<?> nodeClass,
            Group.Size size,
            @Nullable String earlier) {

        public Assignment(String name, Plan.Kind kind, Duration lease, Plan plan) {
            this(name, kind, lease, plan, Node.class, Group.Size.USUAL, null);
        }

        public Assignment ofSize(Group.Size other) {
            return new Assignment(name, kind, lease, plan, nodeClass, other, earlier);
        }
    }

    /**
     * Runs them all to their end. Each starts when the one before has: of all their processes at once each would take a minute.
     *
     * @param most how many run at the same time: where there are more than the processors can serve, all of them wait for each other
     * @return their histories, in the same order
     */
    public List<Path> run(List<Assignment> assignments, int most, BooleanSupplier goesOn) throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(most);
        try {
            List<Future<Path>> running = new ArrayList<>();
            for (Assignment assignment : assignments) {
                CountDownLatch started = new CountDownLatch(1);
                running.add(threads.submit(() -> runOrTell(assignment, started, goesOn)));
                started.await();
            }
            List<Path> histories = new ArrayList<>();
            @Nullable ExecutionException failure = null;
            for (Future<Path> one : running) {
                try {
                    histories.add(one.get());
                } catch (ExecutionException failed) {
                    // The others go on to their end all the same.
                    failure = failed;
                }
            }
            if (failure != null) {
                throw failure;
            }
            return histories;
        } finally {
            threads.shutdownNow();
        }
    }

    @Override
    public void close() throws SQLException {
        fences.close();
        children.close();
    }

    /** At once: the other groups may go on for an hour. */
    private Path runOrTell(Assignment assignment, CountDownLatch started, BooleanSupplier goesOn) throws Exception {
        try {
            return run(assignment, started, goesOn);
        } catch (Exception | Error failure) {
            System.out.println("The group " + assignment.name() + " has ended early: " + failure);
            throw failure;
        } finally {
            started.countDown();
        }
    }

    private Path run(Assignment assignment, CountDownLatch started, BooleanSupplier goesOn) throws Exception {
        Path home = Files.createDirectories(folder.resolve(assignment.name()));
        Path file = home.resolve("history.txt");
        Files.write(home.resolve("plan.txt"), assignment.plan().lines());
        try (HistoryFile history = new HistoryFile(file)) {
            history.append(new Entry.Begun(
                    assignment.name(),
                    assignment.kind().name(),
                    assignment.lease().toMillis(),
                    assignment.plan().seed(),
                    System.nanoTime()));
            Group group = new Group(
                    assignment.name(),
                    assignment.lease(),
                    assignment.size(),
                    topology(assignment.kind(), home, assignment.size().nodes()),
                    children,
                    fences,
                    assignment.nodeClass().getName(),
                    assignment.earlier(),
                    history);
            group.start(home);
            try {
                new Nemesis(group, assignment.plan(), rest).run(started::countDown, goesOn);
            } finally {
                group.close();
            }
        }
        return file;
    }

    private Topology topology(Plan.Kind kind, Path home, int nodes) throws IOException, SQLException {
        return switch (kind) {
            case STANDALONE, MESSAGES, SLOW_LINKS, FLUSHES -> new Standalone(children, home, nodes);
            case MUTE -> Standalone.withoutChannels(children, home, nodes);
            case SNAPSHOTS -> Standalone.withSnapshots(children, home, nodes);
            case SENTINELS -> Sentinels.start(children, home);
            case PARTITIONS -> Sentinels.withLinks(children, home, nodes);
            case ACKNOWLEDGED -> Sentinels.withAcknowledgements(children, home, nodes);
            case CLOCKS -> Sentinels.withOwnClocks(children, home);
            case CLUSTER -> new Cluster(children, home);
            case DATABASE, DUMPS -> new Database(children, home, nodes);
            case STANDBY -> new DatabasePair(children, home, nodes);
            case ADDRESS -> new DatabaseAddress(children, home, nodes);
            case KUBERNETES -> new Kubernetes(nodes);
            case ETCD -> OneMember.ofEtcd(nodes);
            case ZOOKEEPER -> OneMember.ofZooKeeper(children, home, nodes);
        };
    }
}
