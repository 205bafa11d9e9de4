package dev.election.faults.node;

import dev.election.etcd.EtcdAccess;
import dev.election.jdbc.JdbcDatabase;
import dev.election.kubernetes.KubernetesAccess;
import dev.election.kubernetes.internal.MountedCredentials;
import dev.election.redis.AcknowledgingReplicas;
import dev.election.redis.client.RedisAccess;
import dev.election.zookeeper.ZooKeeperAccess;
import io.lettuce.core.RedisURI;
import java.net.URI;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Where a node finds its store; written as the kind, the ports, all on loopback, the replicas and the folder.
 *
 * @param replicas that have to acknowledge a grant or a renewal
 * @param mounted the folder with the files of a service account, empty without Kubernetes
 */
public record StoreAddress(Kind kind, List<Integer> ports, AcknowledgingReplicas replicas, String mounted) {

    /** Name of the primary among the Sentinels. */
    public static final String PRIMARY = "primary";

    /** Database user of the elections. */
    public static final String DATABASE_USER = "elections";

    private static final String HOST = "127.0.0.1";

    /** Kind of the servers at the ports. */
    public enum Kind {
        SERVER,
        SENTINELS,
        CLUSTER,
        /** One server, or a primary and a standby. */
        DATABASE,
        KUBERNETES,
        ETCD,
        ZOOKEEPER
    }

    public StoreAddress(Kind kind, List<Integer> ports) {
        this(kind, ports, AcknowledgingReplicas.NONE);
    }

    public StoreAddress(Kind kind, List<Integer> ports, AcknowledgingReplicas replicas) {
        this(kind, ports, replicas, "");
    }

    /** The API server at that port, for a pod with that folder. */
    public static StoreAddress ofKubernetes(int port, Path mounted) {
        return new StoreAddress(Kind.KUBERNETES, List.of(port), AcknowledgingReplicas.NONE, mounted.toString());
    }

    public static StoreAddress parse(String text) {
        String[] words = text.split(":", 4);
        return new StoreAddress(
                Kind.valueOf(words[0]),
                Arrays.stream(words[1].split(",", -1)).map(Integer::valueOf).toList(),
                AcknowledgingReplicas.of(words[2]),
                words[3]);
    }

    public RedisAccess access() {
        return switch (kind) {
            case SERVER -> RedisAccess.at(uri(ports.get(0)));
            case SENTINELS -> {
                RedisURI.Builder uri = RedisURI.Builder.sentinel(HOST, ports.get(0), PRIMARY);
                ports.stream().skip(1).forEach(port -> uri.withSentinel(HOST, port));
                yield RedisAccess.at(uri.build());
            }
            case CLUSTER ->
                RedisAccess.toCluster(ports.stream().map(StoreAddress::uri).toList());
            case DATABASE, KUBERNETES, ETCD, ZOOKEEPER -> throw new IllegalStateException(kind + " is no Redis");
        };
    }

    JdbcDatabase database() {
        return JdbcDatabase.at("jdbc:postgresql://" + nodes() + "/postgres", DATABASE_USER, "");
    }

    EtcdAccess etcd() {
        return new EtcdAccess(List.of(URI.create("http://" + nodes())), null, () -> null);
    }

    ZooKeeperAccess zookeeper() {
        return new ZooKeeperAccess(nodes(), null, null, Map.of());
    }

    KubernetesAccess kubernetes() {
        MountedCredentials credentials = new MountedCredentials(Path.of(mounted));
        return new KubernetesAccess(URI.create("https://" + nodes()), credentials.namespace(), credentials);
    }

    /** The address as properties of Spring Boot. */
    public List<String> properties() {
        return switch (kind) {
            case SERVER -> List.of("spring.data.redis.host=" + HOST, "spring.data.redis.port=" + ports.get(0));
            case SENTINELS ->
                List.of("spring.data.redis.sentinel.master=" + PRIMARY, "spring.data.redis.sentinel.nodes=" + nodes());
            case CLUSTER -> List.of("spring.data.redis.cluster.nodes=" + nodes());
            case DATABASE, KUBERNETES, ETCD, ZOOKEEPER ->
                throw new IllegalStateException("The application has the starter of Redis");
        };
    }

    @Override
    public String toString() {
        return kind + ":" + ports.stream().map(String::valueOf).collect(Collectors.joining(",")) + ":"
                + (replicas.isAll() ? "all" : replicas.number()) + ":" + mounted;
    }

    private String nodes() {
        return ports.stream().map(port -> HOST + ":" + port).collect(Collectors.joining(","));
    }

    private static RedisURI uri(int port) {
        return RedisURI.create(HOST, port);
    }
}
