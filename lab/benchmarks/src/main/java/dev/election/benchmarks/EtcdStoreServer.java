package dev.election.benchmarks;

import dev.election.harness.EtcdServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** An etcd, of which the messages of clients are counted: also those in a stream. */
final class EtcdStoreServer implements StoreServer {

    private static final Pattern MESSAGES =
            Pattern.compile("^grpc_server_msg_received_total\\{grpc_method=\"(\\w+)\".*} (\\S+)$", Pattern.MULTILINE);

    private final EtcdServer server = new EtcdServer();

    @Override
    public int port() {
        return server.address().getPort();
    }

    @Override
    public String access() {
        return "-";
    }

    @Override
    public Map<String, Long> requests() {
        Map<String, Long> counts = new TreeMap<>();
        Matcher matcher = MESSAGES.matcher(metrics(server.address().resolve("/metrics")));
        while (matcher.find()) {
            counts.merge(matcher.group(1), (long) Double.parseDouble(matcher.group(2)), Long::sum);
        }
        return counts;
    }

    /** A lease of etcd tells its end in whole seconds only. */
    @Override
    public OptionalLong endOfLease() {
        return OptionalLong.empty();
    }

    private static String metrics(URI at) {
        try (InputStream in = at.toURL().openStream()) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        server.close();
    }
}
