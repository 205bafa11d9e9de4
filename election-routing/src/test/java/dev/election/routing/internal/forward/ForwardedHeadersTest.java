package dev.election.routing.internal.forward;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.http.HttpHeaders;
import org.springframework.mock.http.server.reactive.MockServerHttpRequest;

class ForwardedHeadersTest {

    private final HttpHeaders passed = new HttpHeaders();

    @Test
    void what_a_client_has_forged_is_replaced_by_what_the_server_has_understood() {
        MockServerHttpRequest request = MockServerHttpRequest.get("https://shop.example.org/x")
                .remoteAddress(InetSocketAddress.createUnresolved("192.0.2.1", 1))
                .header("Forwarded", "host=evil.example.org")
                .header("X-Forwarded-For", "evil")
                .header("X-Forwarded-Host", "evil.example.org")
                .header("X-Forwarded-Port", "1")
                .header("X-Forwarded-Proto", "evil")
                .header("X-Forwarded-Prefix", "/evil")
                .header("X-Forwarded-Ssl", "evil")
                .build();
        ForwardedHeaders.pass(request.getHeaders(), passed);
        ForwardedHeaders.sayWhoAsks(request, "", passed);

        assertThat(passed.toString()).doesNotContain("evil");
        assertThat(passed.get("X-Forwarded-For")).containsExactly("192.0.2.1");
        assertThat(passed.get("X-Forwarded-Host")).containsExactly("shop.example.org");
        assertThat(passed.get("X-Forwarded-Proto")).containsExactly("https");
        assertThat(passed.get("X-Forwarded-Port")).containsExactly("443");
    }

    /** Above all what says where the body ends: the body is encoded anew. */
    @Test
    void headers_of_one_connection_do_not_pass() {
        HttpHeaders from = new HttpHeaders();
        List.of(
                        "Transfer-Encoding",
                        "Connection",
                        "Keep-Alive",
                        "TE",
                        "Trailer",
                        "Upgrade",
                        "Proxy-Connection",
                        "Expect")
                .forEach(name -> from.add(name, "x"));
        from.add("connection", "Listed, LISTED-TOO");
        from.add("listed", "1");
        from.add("Listed-Too", "1");
        from.add("Kept", "1");
        ForwardedHeaders.pass(from, passed);

        assertThat(passed.headerNames()).containsExactly("Kept");
    }
}
