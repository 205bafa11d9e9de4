package dev.election.harness;

import static dev.election.harness.ApiTalk.LEASES;
import static dev.election.harness.ApiTalk.json;
import static dev.election.harness.ApiTalk.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** The strict server answers as a real one did, refuses what a store does not say, and fails on demand. */
@Execution(ExecutionMode.CONCURRENT)
class StrictApiServerTest extends ApiConversations {

    private static final String SELECTOR = "election.dev%2Fprefix%3Dp";

    @AutoClose
    private final StrictApiServer server = new StrictApiServer();

    private final ApiTalk talk = new ApiTalk(server);

    @Override
    List<ApiServer> servers() {
        return List.of(server);
    }

    @Override
    boolean isReal() {
        return false;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            nullValues = "-",
            value = {
                "GET /x - - path",
                "GET LEASES/x?resourceVersion=0 - - parameters",
                "GET LEASES?limit=5&labelSelector=election.dev%2Fprefix%3Dp - - parameters",
                "GET LEASES?labelSelector=team%3Da - - selector",
                "GET LEASES?watch=1&labelSelector=election.dev%2Fprefix%3Dp - - parameters",
                "PUT LEASES/x application/json {} PUT",
                "POST LEASES application/json {} body",
                "POST LEASES application/json { JSON",
                "POST LEASES text/plain {} Content-Type",
                "PATCH LEASES/x application/merge-patch+json {} Content-Type",
                "PATCH LEASES/x application/json-patch+json [] body",
                "DELETE LEASES/x application/json {'apiVersion':'v1','kind':'DeleteOptions'} body",
            })
    void refuses_what_no_store_says(String method, String path, String type, String body, String why) throws Exception {
        HttpResponse<String> response = talk.ask(
                method, path.replace("LEASES", LEASES), type == null ? "" : type, body == null ? "" : json(body));
        assertThat(response.statusCode()).isEqualTo(400);
        assertThat(response.body()).contains("Refused: ", why);
        assertThat(server.refusals()).hasSize(1);
    }

    @Test
    void refuses_the_hash_of_another_text() throws Exception {
        String lease = ApiTalk.lease("hashed", "p", "f", "text", "{}").replace("\"text\"", "\"other\"");
        assertThat(talk.ask("POST", LEASES, "application/json", lease).body()).contains("the hash");
    }

    @Test
    void a_fault_meets_the_next_requests_of_its_kind() throws Exception {
        server.next(1, ApiFault.tooManyRequests(Duration.ofSeconds(3)), ApiVerb.READ);
        assertThat(status("?labelSelector=" + SELECTOR)).isEqualTo(200);
        HttpResponse<String> refused = talk.ask("GET", LEASES + "/x", "", "");
        assertThat(refused.statusCode()).isEqualTo(429);
        assertThat(refused.headers().firstValue("Retry-After")).contains("3");
        assertThat(status("/x")).isEqualTo(404);
        assertThat(server.count(ApiVerb.READ)).isEqualTo(2);
        server.always(new ApiFault.Forbidden());
        assertThat(status("/x")).isEqualTo(403);
        server.heal();
        assertThat(status("/x")).isEqualTo(404);
    }

    @Test
    void a_reply_is_cut_at_any_byte_after_the_patch() throws Exception {
        JsonNode lease = talk.create("cut", "p", "f", "0", "{}");
        boolean cut = true;
        for (int bytes = 0; cut; bytes += 100) {
            String before = text("cut");
            server.next(1, new ApiFault.Cut(bytes), ApiVerb.PATCH);
            String patch = ApiTalk.patch(lease, bytes + " bytes", "{}");
            try {
                int unused = talk.ask("PATCH", LEASES + "/cut", "application/json-patch+json", patch)
                        .statusCode();
                cut = false;
            } catch (IOException e) {
                assertThat(text("cut")).isNotEqualTo(before);
            }
            lease = talk.read("cut");
        }
        assertThat(text("cut")).isNotEqualTo("0");
    }

    @Test
    void a_lost_request_does_nothing() throws Exception {
        server.always(new ApiFault.Loss(), ApiVerb.CREATE);
        assertThatThrownBy(() -> talk.create("lost", "p", "f", "text", "{}")).isInstanceOf(IOException.class);
        assertThat(status("/lost")).isEqualTo(404);
    }

    @Test
    void the_last_reply_of_a_connection_says_so() throws Exception {
        server.next(1, new ApiFault.LastReply());
        assertThat(talk.ask("GET", LEASES + "/x", "", "").headers().firstValue("Connection"))
                .contains("close");
        assertThat(status("/x")).isEqualTo(404);
    }

    @Test
    void a_hanging_reply_ends_with_the_connection() throws Exception {
        server.always(new ApiFault.Hang(200));
        // More than the head: a client sends a request again if its connection ends before a byte of the reply.
        try (InputStream body = talk.open(LEASES + "/x").body()) {
            assertThat(body.read()).isEqualTo('{');
            server.dropConnections();
            assertThatThrownBy(body::readAllBytes).isInstanceOf(IOException.class);
        }
    }

    @Test
    void a_silent_watch_misses_what_happens() throws Exception {
        JsonNode first = talk.create("silent", "p", "f", "first", "{}");
        try (ApiTalk.Watch watch = talk.watch(version(first), 60, SELECTOR)) {
            server.silenceWatches();
            JsonNode second = talk.patch("silent", first, "missed", "{}");
            server.heal();
            talk.patch("silent", second, "third", "{}");
            assertThat(watch.next()).asString().contains("third");
        }
        Wait.until("the end of the watch", Duration.ofSeconds(10), () -> server.watches() == 0);
    }

    @Test
    void compaction_expires_earlier_versions() throws Exception {
        JsonNode first = talk.create("compacted", "p", "f", "first", "{}");
        talk.patch("compacted", first, "second", "{}");
        server.compact();
        try (ApiTalk.Watch watch = talk.watch(version(first), 60, SELECTOR)) {
            assertThat(watch.next()).asString().contains("410", "Expired");
        }
    }

    @Test
    void a_rotated_token_replaces_the_former() throws Exception {
        server.rotateToken("second");
        assertThat(status("/x")).isEqualTo(401);
        talk.as("second");
        assertThat(status("/x")).isEqualTo(404);
    }

    @Test
    void the_certificate_may_be_that_of_another_host() {
        try (StrictApiServer other = StrictApiServer.underAnotherName()) {
            ApiTalk talk = new ApiTalk(other, null, Certificate.ELSEWHERE);
            assertThatThrownBy(() -> talk.ask("GET", LEASES + "/x", "", "")).isInstanceOf(SSLHandshakeException.class);
        }
    }

    private int status(String path) throws Exception {
        return talk.ask("GET", LEASES + path, "", "").statusCode();
    }

    private String text(String name) {
        return server.get(LEASES + "/" + name);
    }
}
