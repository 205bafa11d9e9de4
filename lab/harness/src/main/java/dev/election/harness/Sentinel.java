package dev.election.harness;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** One of the Sentinels of a {@link SentinelGroup}. */
public final class Sentinel extends RedisProcess {

    private Sentinel(RedisSettings settings) {
        super(settings);
    }

    /** Starts one with these lines as its configuration, which it will rewrite. */
    static Sentinel start(RedisSettings settings, String configuration) {
        try {
            Path file = Files.writeString(settings.folder().resolve("sentinel.conf"), configuration);
            return new Sentinel(settings.asSentinel(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Its connections that listen to it. */
    public List<String> listeners() {
        return order("CLIENT", "LIST")
                .toString()
                .lines()
                .filter(client -> !client.contains(" sub=0 "))
                .toList();
    }

    /** The port of the server that it names as the primary. */
    int primaryPort() throws IOException {
        List<?> address = (List<?>) ask("SENTINEL", "GET-MASTER-ADDR-BY-NAME", SentinelGroup.NAME);
        return Integer.parseInt(address.get(1).toString());
    }

    /** Whether it finds the primary well, and knows its replica and the other Sentinels. */
    boolean knows(int replicas, int others) throws IOException {
        List<?> facts = (List<?>) ask("SENTINEL", "MASTER", SentinelGroup.NAME);
        return Stream.of("flags=master", "num-slaves=" + replicas, "num-other-sentinels=" + others)
                .map(fact -> fact.split("=", 2))
                .allMatch(fact -> facts.get(facts.indexOf(fact[0]) + 1).equals(fact[1]));
    }
}
