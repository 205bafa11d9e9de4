package dev.election.benchmarks;

import dev.election.harness.ApiServer;
import dev.election.harness.KubernetesServer;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A kube-apiserver, of which the requests for Leases are counted. */
final class KubernetesStoreServer implements StoreServer {

    private static final String LEASES = "/apis/coordination.k8s.io/v1/namespaces/" + ApiServer.NAMESPACE + "/leases";
    private static final Pattern REQUESTS = Pattern.compile(
            "^apiserver_request_total\\{code=\"(\\d+)\".*resource=\"leases\".*verb=\"(\\w+)\".*} (\\S+)$",
            Pattern.MULTILINE);

    private final KubernetesServer server = new KubernetesServer();

    @Override
    public int port() {
        return server.address().getPort();
    }

    @Override
    public String access() {
        return server.certificate().toString();
    }

    @Override
    public Map<String, Long> requests() {
        Map<String, Long> counts = new TreeMap<>();
        Matcher matcher = REQUESTS.matcher(server.get("/metrics"));
        while (matcher.find()) {
            counts.merge(
                    matcher.group(2) + " " + matcher.group(1), (long) Double.parseDouble(matcher.group(3)), Long::sum);
        }
        return counts;
    }

    @Override
    public OptionalLong endOfLease() {
        JsonNode items = JsonMapper.shared().readTree(server.get(LEASES)).path("items");
        if (items.size() != 1) {
            throw new IllegalStateException("Not one Lease, but " + items);
        }
        JsonNode spec = items.path(0).path("spec");
        Instant end = Instant.parse(spec.path("renewTime").asString())
                .plusSeconds(spec.path("leaseDurationSeconds").asLong());
        return OptionalLong.of(
                System.nanoTime() + Duration.between(Instant.now(), end).toNanos());
    }

    @Override
    public void close() {
        server.close();
    }
}
