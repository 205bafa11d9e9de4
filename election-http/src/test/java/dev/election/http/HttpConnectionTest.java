package dev.election.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.harness.StrictApiServer;
import dev.election.harness.Wait;
import dev.election.http.ScriptedServer.Script;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.nio.file.Files;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
@DisplayNameGeneration(DisplayNameGenerator.ReplaceUnderscores.class)
class HttpConnectionTest {

    private static final Duration LIMIT = Duration.ofSeconds(10);
    private static final Duration SHORT = Duration.ofMillis(300);
    private static final HttpCall GET = new HttpCall("GET", "/thing?a=b%20c", Map.of(), null);
    private static final String EMPTY = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final HttpDeadlines deadlines = new HttpDeadlines("test-deadline");
    private @Nullable ScriptedServer server;

    @AfterEach
    void close() throws IOException {
        deadlines.close();
        if (server != null) {
            server.close();
        }
    }

    private HttpConnection connect(Script script) throws IOException {
        server = new ScriptedServer(script);
        return HttpConnection.open(new HttpServer(server.address("http"), null), deadlines, LIMIT);
    }

    /** A connection to a server that sends this as the reply to each request. */
    private HttpConnection answering(String reply) throws IOException {
        return connect(peer -> {
            while (true) {
                peer.read(0);
                peer.send(reply);
            }
        });
    }

    @Test
    void a_request_is_sent_as_it_is() throws Exception {
        CompletableFuture<String> request = new CompletableFuture<>();
        HttpConnection connection = connect(peer -> {
            request.complete(peer.read("{\"a\":\"\u00e4\"}".length() + 1));
            peer.send(EMPTY);
        });
        HttpCall call = new HttpCall(
                "PATCH",
                "/thing?a=b%20c",
                Map.of("Authorization", "Bearer x"),
                new HttpCall.Body("application/json-patch+json", "{\"a\":\"\u00e4\"}"));
        assertThat(connection.exchange(call, LIMIT)).isEqualTo(new HttpReply(200, "", null));
        assertThat(request.join().lines())
                .containsExactly(
                        "PATCH /thing?a=b%20c HTTP/1.1",
                        "Host: " + server.address("http").getAuthority(),
                        "Authorization: Bearer x",
                        "Content-Type: application/json-patch+json",
                        "Content-Length: 10",
                        "",
                        "{\"a\":\"\u00c3\u00a4\"}");
    }

    @ParameterizedTest
    @CsvSource({"'', HTTP/1.1 200 OK", "'HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n', body"})
    void a_reply_that_drips_is_given_up_at_its_deadline_and_the_connection_is_closed(String soon, String slowly)
            throws Exception {
        CountDownLatch closed = new CountDownLatch(1);
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send(soon);
            try {
                peer.drip(slowly.repeat(1_000));
            } finally {
                closed.countDown();
            }
        });
        assertIsLate(() -> connection.exchange(GET, SHORT), "no reply within 300 ms");
        assertThat(connection.isUsable()).isFalse();
        assertThat(connection.isOver()).isFalse();
        assertThat(closed.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void a_request_that_the_server_does_not_read_is_given_up_at_its_deadline() throws Exception {
        HttpConnection connection = connect(peer -> Thread.sleep(20_000));
        HttpCall large = new HttpCall("POST", "/", Map.of(), new HttpCall.Body("text/plain", "x".repeat(20 << 20)));
        assertIsLate(() -> connection.exchange(large, SHORT), "no reply within 300 ms");
    }

    @Test
    void a_server_that_does_not_answer_to_tls_is_given_up_at_the_deadline() {
        server = new ScriptedServer(peer -> peer.awaitEnd());
        HttpServer secured = new HttpServer(server.address("https"), null);
        assertIsLate(() -> HttpConnection.open(secured, deadlines, SHORT), "no connection within 300 ms");
    }

    @Test
    void a_server_that_ends_a_handshake_is_not_said_to_have_a_wrong_certificate() {
        server = new ScriptedServer(peer -> {});
        HttpServer secured = new HttpServer(server.address("https"), null);
        assertThatThrownBy(() -> HttpConnection.open(secured, deadlines, LIMIT)).satisfies(failure -> assertThat(
                        HttpFailure.answer(failure, "the server").action())
                .startsWith("the server can't be reached"));
    }

    private static void assertIsLate(org.assertj.core.api.ThrowableAssert.ThrowingCallable request, String message) {
        long begun = System.nanoTime();
        assertThatThrownBy(request).isInstanceOf(SocketTimeoutException.class).hasMessage(message);
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isGreaterThanOrEqualTo(SHORT);
    }

    @Test
    void a_deadline_does_not_end_a_connection_whose_reply_was_in_time() throws Exception {
        HttpConnection connection = answering(EMPTY);
        connection.exchange(GET, Duration.ofSeconds(2));
        Thread.sleep(2_100);
        assertThat(connection.exchange(GET, LIMIT).status()).isEqualTo(200);
    }

    @Test
    void chunks_are_one_body_also_where_they_divide_a_character() throws Exception {
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send(CHUNKED + "2\r\na");
            peer.send(new byte[] {(byte) 0xc3, '\r', '\n', '2', '\r', '\n', (byte) 0xa4});
            peer.send("b\r\n0\r\n\r\n");
            peer.awaitEnd();
        });
        assertThat(connection.exchange(GET, LIMIT).body()).isEqualTo("a\u00e4b");
        assertThat(connection.isUsable()).isTrue();
    }

    @Test
    void a_large_body_is_received_and_one_beyond_the_limit_is_not() throws Exception {
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 5000000\r\n\r\n" + "x".repeat(5_000_000));
            peer.read(0);
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 70000000\r\n\r\n");
            byte[] much = new byte[1 << 20];
            while (true) {
                peer.send(much);
            }
        });
        assertThat(connection.exchange(GET, LIMIT).body()).hasSize(5_000_000);
        assertThatThrownBy(() -> connection.exchange(GET, Duration.ofMinutes(1)))
                .isInstanceOf(IOException.class)
                .hasStackTraceContaining("The reply is larger than 67108864 bytes");
        assertThat(connection.isUsable()).isFalse();
    }

    @Test
    void a_connection_is_used_again_after_replies_of_any_status() throws Exception {
        HttpConnection connection = answering("HTTP/1.1 429 Busy\r\nRetry-After: 7\r\nContent-Length: 4\r\n\r\nwait");
        for (int i = 0; i < 3; i++) {
            assertThat(connection.exchange(GET, LIMIT)).isEqualTo(new HttpReply(429, "wait", "7"));
            assertThat(connection.isUsable()).isTrue();
            assertThat(connection.isOver()).isFalse();
        }
        assertThat(server.connections()).isEqualTo(1);
    }

    @Test
    void an_interim_reply_is_passed_over() throws Exception {
        HttpConnection connection = answering("HTTP/1.1 103 Early Hints\r\nLink: </>\r\n\r\n" + EMPTY);
        assertThat(connection.exchange(GET, LIMIT).status()).isEqualTo(200);
    }

    @Test
    void a_connection_that_the_server_ends_after_a_whole_reply_is_over() throws Exception {
        HttpConnection connection = answering("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n\r\nok");
        assertThat(connection.exchange(GET, LIMIT).body()).isEqualTo("ok");
        assertThat(connection.isUsable()).isFalse();
        assertThat(connection.isOver()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "HTTP/1.1 200",
                "HTTP/1.1 200 OK\r\nContent-Le",
                "HTTP/1.1 200 OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nfour",
                "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 5\r\n\r\nfour",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nfour\r\n"
            })
    void a_reply_that_is_cut_is_none_and_its_connection_is_neither_usable_nor_over(String reply) throws Exception {
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send(reply);
        });
        assertThatThrownBy(() -> connection.exchange(GET, LIMIT)).isInstanceOf(IOException.class);
        assertThat(connection.isUsable()).isFalse();
        assertThat(connection.isOver()).isFalse();
    }

    @Test
    void what_is_no_http_is_a_failure() throws Exception {
        HttpConnection connection = answering("SSH-2.0-OpenSSH\r\n\r\n");
        assertThatThrownBy(() -> connection.exchange(GET, SHORT)).isInstanceOf(IOException.class);
    }

    @Test
    void a_connection_that_the_server_has_closed_meanwhile_is_not_used_again() throws Exception {
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send(EMPTY);
        });
        connection.exchange(GET, LIMIT);
        // It counts as usable until the server's thread has closed it, and shortly after its use, since no look is
        // taken then.
        Wait.until("the end is seen", LIMIT, () -> !connection.isUsable());
        assertThat(connection.isOver()).isFalse();
    }

    @Test
    void an_idle_connection_that_is_still_open_is_used_again() throws Exception {
        HttpConnection connection = answering(EMPTY);
        connection.exchange(GET, LIMIT);
        Thread.sleep(150);
        assertThat(connection.isUsable()).isTrue();
        assertThat(connection.exchange(GET, LIMIT).status()).isEqualTo(200);
    }

    @Test
    void lines_are_passed_on_as_they_come_for_longer_than_the_beginning_may_take() throws Exception {
        Duration beginning = Duration.ofSeconds(1);
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send(CHUNKED + "3\r\non");
            peer.send("e\r\n7\r\n\u00e4\ntwo\n\r\n");
            // Goes on when both have arrived.
            while (heard.size() < 3) {
                Thread.sleep(5);
            }
            Thread.sleep(beginning.toMillis() + 100);
            peer.send("5\r\nthree\r\n0\r\n\r\n");
            peer.awaitEnd();
        });
        assertThat(connection.stream(GET, beginning, () -> heard.add("begun"), heard::add))
                .isNull();
        assertThat(heard).containsExactly("begun", "one\u00e4", "two", "three");
        assertThat(connection.isUsable()).isFalse();
    }

    @Test
    void a_stream_that_is_refused_is_a_reply_as_usual() throws Exception {
        HttpConnection connection = answering("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno");
        HttpReply reply = connection.stream(
                GET,
                LIMIT,
                () -> {
                    throw new AssertionError("begun");
                },
                line -> {});
        assertThat(reply).isEqualTo(new HttpReply(403, "no", null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\n"})
    void a_stream_whose_beginning_does_not_come_is_given_up(String reply) throws Exception {
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send(reply);
            peer.awaitEnd();
        });
        assertIsLate(() -> connection.stream(GET, SHORT, () -> {}, line -> {}), "no reply within 300 ms");
    }

    @Test
    void a_stream_that_is_cut_is_a_failure() throws Exception {
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send(CHUNKED + "4\r\none\n\r\n");
        });
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        assertThatThrownBy(() -> connection.stream(GET, LIMIT, () -> {}, heard::add))
                .isInstanceOf(IOException.class);
        assertThat(heard).containsExactly("one");
    }

    @Test
    void a_close_on_another_thread_ends_a_silent_stream() throws Exception {
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send(CHUNKED);
            peer.awaitEnd();
        });
        assertThatThrownBy(() ->
                        connection.stream(GET, LIMIT, () -> CompletableFuture.runAsync(connection::close), line -> {}))
                .isInstanceOf(IOException.class);
    }

    @Test
    void a_stream_ends_with_a_failure_of_who_listens_although_the_server_goes_on() throws Exception {
        HttpConnection connection = connect(peer -> {
            peer.read(0);
            peer.send(CHUNKED + "4\r\none\n\r\n");
            peer.awaitEnd();
        });
        CompletableFuture<Void> ended = CompletableFuture.runAsync(
                () -> assertThatThrownBy(() -> connection.stream(GET, LIMIT, () -> {}, line -> {
                            throw new IllegalStateException(line);
                        }))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("one"));
        ended.get(5, TimeUnit.SECONDS);
    }

    @Test
    void the_name_in_the_certificate_is_checked_although_its_authority_is_trusted() throws Exception {
        try (StrictApiServer another = StrictApiServer.underAnotherName()) {
            HttpServer trusted = new HttpServer(another.address(), trusting(another));
            assertThatThrownBy(() -> HttpConnection.open(trusted, deadlines, LIMIT))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("127.0.0.1");
            HttpServer unknown = new HttpServer(another.address(), null);
            assertThatThrownBy(() -> HttpConnection.open(unknown, deadlines, LIMIT))
                    .isInstanceOf(SSLException.class)
                    .hasMessageContaining("certification path")
                    .satisfies(failure -> assertThat(
                                    HttpFailure.answer(failure, "the server").action())
                            .startsWith("the certificate of the server"));
        }
    }

    private static SSLContext trusting(StrictApiServer secured) throws Exception {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream certificate = Files.newInputStream(secured.certificate())) {
            store.setCertificateEntry(
                    "server", CertificateFactory.getInstance("X.509").generateCertificate(certificate));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
    }

    @Test
    void an_address_says_its_host_and_port() {
        assertThat(List.of("https://a", "http://a", "http://[::1]:81").stream()
                        .map(address -> new HttpServer(URI.create(address), null))
                        .map(there -> there.host() + " " + there.port()))
                .containsExactly("a 443", "a 80", "::1 81");
    }
}
