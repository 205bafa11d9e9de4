package dev.election.faults.bridge;

import dev.election.harness.ClassArchive;
import dev.election.harness.JvmProcess;
import dev.election.harness.Wait;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** A node of either kind in one process, for the archive of their classes. */
final class BridgeTraining {

    private static final String TRAINED = "Both take part";

    static final ClassArchive CLASSES = new ClassArchive(
            "bridged",
            TRAINED,
            (options, redisPort, folder) -> JvmProcess.command(
                    options, BridgeTraining.class.getName(), List.of(Integer.toString(redisPort), folder.toString())));

    private BridgeTraining() {}

    @SuppressWarnings("SystemOut")
    public static void main(String[] arguments) {
        List<Path> histories = List.of(
                start("old", "free", OldNode::main, arguments), start("new", "bridged", NewNode::main, arguments));
        Wait.until("both take part", Duration.ofMinutes(2), () -> {
            for (Path history : histories) {
                if (!Files.readString(history).contains("Joined")) {
                    return false;
                }
            }
            return true;
        });
        System.out.println(TRAINED);
    }

    private static Path start(String id, String mode, Main main, String[] arguments) {
        Path history = Path.of(arguments[1], id + ".history");
        List<String> told = Stream.of(
                        Stream.of(id, arguments[0], history.toString()),
                        Pace.ofCheck(Duration.ofSeconds(2)).words().stream(),
                        Stream.of(mode))
                .flatMap(words -> words)
                .toList();
        Thread thread = new Thread(
                () -> {
                    try {
                        main.run(told.toArray(String[]::new));
                    } catch (Exception failure) {
                        throw new IllegalStateException(failure);
                    }
                },
                id);
        thread.start();
        return history;
    }

    private interface Main {
        void run(String[] arguments) throws Exception;
    }
}
