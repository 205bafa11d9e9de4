package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.Wait;
import dev.election.members.Member;
import dev.election.members.Members;
import dev.election.routing.Replicas.Replica;
import dev.election.testing.Certificate;
import dev.election.testing.RealTime;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.ssl.SslBundles;
import tools.jackson.databind.JsonNode;

/** Replicas that speak TLS only, and only with whoever shows the key of a node. */
@RealTime
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MvcTlsTest {

    private static final String TRUSTED = "spring.ssl.bundle.pem.node.truststore.certificate=";

    @AutoClose
    private Replicas replicas;

    private Replica leader;
    private Replica follower;
    private Replica distrustful;
    private HttpClient client;

    @BeforeAll
    void start() throws Exception {
        Certificate own = Certificate.make();
        replicas = new Replicas(
                MvcApplication.class,
                WebApplicationType.SERVLET,
                "spring.ssl.bundle.pem.node.keystore.certificate="
                        + own.certificate().toUri(),
                "spring.ssl.bundle.pem.node.keystore.private-key=" + own.key().toUri(),
                TRUSTED + own.certificate().toUri(),
                "server.ssl.bundle=node",
                "server.ssl.client-auth=need",
                "election.routing.ssl-bundle=node");
        leader = replicas.add("leader");
        follower = replicas.add("follower", "election.role=observer");
        distrustful = replicas.add(
                "distrustful",
                "election.role=observer",
                "server.ssl.client-auth=none",
                TRUSTED + Certificate.make().certificate().toUri());
        replicas.awaitLeader();
        client = HttpClient.newBuilder()
                .sslContext(follower.context()
                        .getBean(SslBundles.class)
                        .getBundle("node")
                        .createSslContext())
                .build();
    }

    @Test
    void a_request_is_forwarded_over_tls_with_the_key_of_the_node() throws Exception {
        JsonNode said = RoutingContract.echo(ask(follower));
        assertThat(said.get("node").asString()).isEqualTo("leader");
        assertThat(said.get("url").asString()).startsWith("https://");
    }

    @Test
    void a_leader_whose_certificate_is_not_trusted_gets_no_request() throws Exception {
        HttpResponse<String> answer = ask(distrustful);
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(answer.body()).contains("The request was not carried out");
    }

    @Test
    void a_leader_whose_certificate_names_another_host_gets_no_request() throws Exception {
        Members members = leader.context().getBean(Members.class);
        String real = members.find("leader").map(Member::uri).orElseThrow();
        // The certificate is one of 127.0.0.1.
        says(real.replace("127.0.0.1", "127.0.0.2"));
        try {
            HttpResponse<String> answer = ask(follower);
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(answer.body()).contains("The request was not carried out");
        } finally {
            says(real);
        }
    }

    private HttpResponse<String> ask(Replica replica) throws Exception {
        URI uri = URI.create("https://127.0.0.1:" + replica.port() + "/echo/x");
        return client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString());
    }

    private void says(String uri) {
        leader.context().getBean(Members.class).setUri(uri, "");
        Wait.until("the follower knows it", Duration.ofSeconds(10), () -> follower.context()
                .getBean(Members.class)
                .confirmed("leader")
                .map(Member::uri)
                .filter(uri::equals)
                .isPresent());
    }
}
