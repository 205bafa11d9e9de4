package dev.election.routing.internal.decision;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.URI;
import java.util.List;
import org.junit.jupiter.api.Test;

class MemberUrisTest {

    @Test
    void only_the_address_of_a_web_server_is_usable() {
        for (String usable : List.of("http://a", "HTTPS://a:8443/app", "http://[::1]:80/", "http://127.0.0.1:1/a/b")) {
            assertThat(MemberUris.usable(usable)).as(usable).isEqualTo(URI.create(usable));
        }
        for (String hostile : List.of(
                "",
                "a:80",
                "//a",
                "file:///etc/passwd",
                "ftp://a/",
                "jar:http://a/x!/",
                "http:",
                "http:///a",
                "http://a_b/",
                "http://user@a",
                "http://user:password@a",
                "http://a?",
                "http://a#",
                "http://a /",
                "http://a\r\nHost: b/")) {
            assertThat(MemberUris.usable(hostile)).as(hostile).isNull();
        }
    }

    @Test
    void a_path_never_becomes_an_address() throws Exception {
        for (String server : List.of("http://leader:1", "http://leader:1/", "http://leader:1/app")) {
            for (String path : List.of(
                    "/x",
                    "//evil/x",
                    "///evil",
                    "/@evil/",
                    "@evil/",
                    ":2@evil/",
                    ".evil/",
                    "/%2F%2Fevil/",
                    "/../x",
                    "")) {
                URI uri = MemberUris.resolve(URI.create(server), path, "a=b");
                assertThat(uri.getRawAuthority()).as("%s at %s", path, server).isEqualTo("leader:1");
                assertThat(uri.getRawPath()).endsWith(path);
                assertThat(uri.getRawQuery()).isEqualTo("a=b");
            }
        }
    }
}
