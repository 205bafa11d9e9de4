package dev.election.benchmarks;

import dev.election.harness.ApiServer;
import dev.election.kubernetes.Credentials;
import dev.election.kubernetes.KubernetesAccess;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLContext;
import org.springframework.boot.ssl.SslBundle;
import org.springframework.boot.ssl.pem.PemSslStoreBundle;
import org.springframework.boot.ssl.pem.PemSslStoreDetails;

/** Whose nodes compete over a server, and over which. */
enum StoreLibrary {
    /** The elections of this project over Leases. */
    KUBERNETES("this library", "at most 1.0", "at most 9", "at most 50 ms") {
        @Override
        StoreServer server() {
            return new KubernetesStoreServer();
        }

        @Override
        Competitor open(String id, int port, String certificate, Duration lease, List<String> elections) {
            KubernetesAccess access =
                    new KubernetesAccess(secured(port), ApiServer.NAMESPACE, admin(Path.of(certificate)));
            return ElectionCompetitor.overKubernetes(id, access, lease, elections);
        }
    },
    /** The elector of fabric8's client. */
    FABRIC8("fabric8 8.0.0, `LeaderElector`", "-", "-", "-") {
        @Override
        StoreServer server() {
            return new KubernetesStoreServer();
        }

        @Override
        Competitor open(String id, int port, String certificate, Duration lease, List<String> elections) {
            return new Fabric8Competitor(id, secured(port), Path.of(certificate), lease, elections);
        }
    },
    /** The elections of this project over etcd. */
    ETCD("this library", "-", "-", "-") {
        @Override
        StoreServer server() {
            return new EtcdStoreServer();
        }

        @Override
        Competitor open(String id, int port, String access, Duration lease, List<String> elections) {
            return ElectionCompetitor.overEtcd(id, port, lease, elections);
        }
    },
    /** The elections of etcd's own service, by jetcd. */
    JETCD("jetcd 0.8.6, `Election`", "-", "-", "-") {
        @Override
        StoreServer server() {
            return new EtcdStoreServer();
        }

        @Override
        Competitor open(String id, int port, String access, Duration lease, List<String> elections) {
            return new JetcdCompetitor(id, port, lease, elections);
        }
    },
    /** The elections of this project over ZooKeeper. */
    ZOOKEEPER("this library", "-", "-", "-") {
        @Override
        StoreServer server() {
            return new ZooKeeperStoreServer();
        }

        @Override
        Competitor open(String id, int port, String access, Duration lease, List<String> elections) {
            return ElectionCompetitor.overZooKeeper(id, port, lease, elections);
        }
    },
    /** The latch of Curator. */
    CURATOR("Curator 5.9.0, `LeaderLatch`", "-", "-", "-") {
        @Override
        StoreServer server() {
            return new ZooKeeperStoreServer();
        }

        @Override
        Competitor open(String id, int port, String access, Duration lease, List<String> elections) {
            return new CuratorCompetitor(id, port, lease, elections);
        }
    };

    private final String title;
    private final String rateOfOne;
    private final String rateOfMany;
    private final String handOver;

    StoreLibrary(String title, String rateOfOne, String rateOfMany, String handOver) {
        this.title = title;
        this.rateOfOne = rateOfOne;
        this.rateOfMany = rateOfMany;
        this.handOver = handOver;
    }

    String title() {
        return title;
    }

    /** Target of the requests a second. */
    String rate(int elections) {
        return elections == 1 ? rateOfOne : rateOfMany;
    }

    /** Target of an orderly change of leader. */
    String handOver() {
        return handOver;
    }

    /** Starts a server for nodes of this library. */
    abstract StoreServer server();

    /**
     * Opens a node in this process.
     *
     * @param access what {@link StoreServer#access} said
     */
    abstract Competitor open(String id, int port, String access, Duration lease, List<String> elections);

    private static URI secured(int port) {
        return URI.create("https://127.0.0.1:" + port);
    }

    private static Credentials admin(Path certificate) {
        PemSslStoreDetails trusted =
                PemSslStoreDetails.forCertificate(certificate.toUri().toString());
        SSLContext context = SslBundle.of(new PemSslStoreBundle(null, trusted)).createSslContext();
        return new Credentials() {
            @Override
            public String token() {
                return ApiServer.ADMIN;
            }

            @Override
            public SSLContext tls() {
                return context;
            }
        };
    }
}
