package dev.election.playground;

import com.example.sample.replicas.Replicas;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/**
 * Starts three replicas, each with a way of its own to Redis, and the page that breaks them. {@code --redis-port=} names a Redis on this
 * machine, which is used and left alone; all other arguments go to each replica.
 */
public final class Playground {

    private static final String REDIS_PORT = "--redis-port=";
    private static final int FIRST_PORT = 8090;

    private Playground() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Replicas.endWithParent();
        Journal journal = new Journal(System.out::println);
        Machine machine = Machine.start(redis(arguments), journal, forReplicas(arguments));
        Runtime.getRuntime().addShutdownHook(new Thread(machine::end));
        machine.awaitReady();
        PlaygroundServer server = PlaygroundServer.start(machine, FIRST_PORT);
        System.out.println("\nCtrl+C ends the replicas, Redis and this page:\n" + server.address());
    }

    private static Redis redis(String... arguments) throws IOException, InterruptedException {
        List<String> ports = Arrays.stream(arguments)
                .filter(argument -> argument.startsWith(REDIS_PORT))
                .map(argument -> argument.substring(REDIS_PORT.length()))
                .toList();
        return ports.isEmpty() ? Redis.ofOurOwn() : Redis.at(Integer.parseInt(ports.get(0)));
    }

    private static List<String> forReplicas(String... arguments) {
        return Arrays.stream(arguments)
                .filter(argument -> !argument.startsWith(REDIS_PORT))
                .toList();
    }
}
