package dev.election.faults.world;

import dev.election.faults.node.ApplicationNode;
import dev.election.faults.node.Node;
import dev.election.faults.node.NodeSettings;
import dev.election.faults.node.StoreAddress;
import dev.election.harness.Children;
import dev.election.harness.ClassArchive;
import dev.election.harness.JvmProcess;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** Lets nodes start with an archive of their classes, if {@code -Dfaults.class-archive=true} says so, as it does in tests. */
final class NodeTraining {

    /** Starts last, and takes longest. */
    private static final String APPLICATION = "training-2";

    private static final ClassArchive CLASSES = new ClassArchive(
            "nodes",
            "Joined " + APPLICATION,
            (options, redisPort, folder) -> JvmProcess.command(
                    options, NodeTraining.class.getName(), List.of(Integer.toString(redisPort), folder.toString())));

    private NodeTraining() {}

    /** The options for nodes of this class path. */
    static List<String> options() {
        return Boolean.getBoolean("faults.class-archive") ? CLASSES.options() : List.of();
    }

    /** Both kinds of nodes, of which one leads. */
    public static void main(String[] arguments) throws Exception {
        StoreAddress store = new StoreAddress(StoreAddress.Kind.SERVER, List.of(Integer.parseInt(arguments[0])));
        Fences fences = new Fences(Children.OF_THIS_JVM, Path.of(arguments[1]));
        start("training-1", store, fences, Node::main);
        start(APPLICATION, store, fences, ApplicationNode::main);
    }

    private static void start(String id, StoreAddress store, Fences fences, Main main) {
        NodeSettings settings = new NodeSettings(
                id, store, Duration.ofSeconds(3), fences.port(), fences.table(), Duration.ZERO, 1, false);
        Thread thread = new Thread(
                () -> {
                    try {
                        main.run(settings.arguments().toArray(String[]::new));
                    } catch (Exception failure) {
                        throw new IllegalStateException(failure);
                    }
                },
                id);
        thread.start();
    }

    private interface Main {
        void run(String[] arguments) throws Exception;
    }
}
