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

/** Whose nodes compete over an API server. */
enum KubernetesLibrary {
    /** The elections of this project. */
    ELECTION("this library", "at most 1.0", "at most 9", "at most 50 ms") {
        @Override
        Competitor open(String id, URI server, Path certificate, Duration lease, List<String> elections) {
            KubernetesAccess access = new KubernetesAccess(server, ApiServer.NAMESPACE, admin(certificate));
            return ElectionCompetitor.overKubernetes(id, access, lease, elections);
        }
    },
    /** The elector of fabric8's client. */
    FABRIC8("fabric8 8.0.0, `LeaderElector`", "-", "-", "-") {
        @Override
        Competitor open(String id, URI server, Path certificate, Duration lease, List<String> elections) {
            return new Fabric8Competitor(id, server, certificate, lease, elections);
        }
    };

    private final String title;
    private final String rateOfOne;
    private final String rateOfMany;
    private final String handOver;

    KubernetesLibrary(String title, String rateOfOne, String rateOfMany, String handOver) {
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

    /**
     * Opens a node in this process.
     *
     * @param certificate of the server, which is to be trusted
     */
    abstract Competitor open(String id, URI server, Path certificate, Duration lease, List<String> elections);

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
