package com.example.sample.replicas;

import com.example.sample.redis.RedisServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Starts three replicas of the sample on this machine, with a Redis of their own. {@code --replicas=} sets another number; all other
 * arguments go to each replica. However this process ends, its replicas and its Redis end.
 */
public final class Replicas {

    /** Longer than {@code election.shutdown.await}. */
    private static final Duration LONGEST_END = Duration.ofSeconds(40);

    private static final int NO_PORT = 0;

    private final List<ReplicaProcess> all = new CopyOnWriteArrayList<>();

    private Replicas() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        endWithParent();
        Options options = Options.of(arguments);
        int redisPort = options.nameStore() ? NO_PORT : startRedis();
        Replicas replicas = new Replicas();
        Runtime.getRuntime().addShutdownHook(new Thread(replicas::end));
        replicas.start(options, redisPort);
        replicas.tellAddresses();
        for (ReplicaProcess replica : replicas.all) {
            replica.awaitEnd();
        }
    }

    /** Ends this process when its parent does: whoever kills Maven, for example, wants no replica to stay. */
    public static void endWithParent() {
        ProcessHandle.current().parent().ifPresent(parent -> {
            var unused = parent.onExit().thenRun(() -> System.exit(1));
        });
    }

    private static int startRedis() throws IOException, InterruptedException {
        int port = RedisServer.startFrom(6379).port();
        System.out.println("Redis listens at port " + port);
        return port;
    }

    private void start(Options options, int redisPort) throws IOException {
        Path classPath = ClassPathFile.write();
        Output output = Output.toConsole();
        for (int i = 1; i <= options.replicas(); i++) {
            if (i == 2) {
                // Alone, the first one leads much sooner on a machine with few processors.
                all.get(0).address().join();
            }
            int number = i;
            String name = "app-" + number;
            all.add(ReplicaProcess.start(
                    name, classPath, redisPort, options.arguments(), line -> output.print(number, name, line)));
        }
    }

    /** Waits until all answer. */
    private void tellAddresses() {
        StringBuilder lines = new StringBuilder("\n");
        for (ReplicaProcess replica : all) {
            replica.address()
                    .join()
                    .ifPresent(address -> lines.append(
                            "%s is process %d and answers at %s%n".formatted(replica.name(), replica.pid(), address)));
        }
        lines.append("Ctrl+C ends all. Who leads:");
        all.stream()
                .map(replica -> replica.address().join())
                .flatMap(Optional::stream)
                .min(String::compareTo)
                .ifPresent(address -> System.out.println(lines + "\n" + address + "/actuator/leaderconsole"));
    }

    private void end() {
        all.forEach(ReplicaProcess::stop);
        long begun = System.nanoTime();
        try {
            for (ReplicaProcess replica : all) {
                if (!replica.hasEndedWithin(LONGEST_END.minusNanos(System.nanoTime() - begun))) {
                    replica.kill();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
