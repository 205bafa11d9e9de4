package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.handler.codec.http.HttpMethod;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** Spring MVC on Tomcat, behind a filter that reads the parameters of each POST. */
class MvcRoutingTest extends RoutingContract {

    private static final String READ = "a filter has read its body before";
    private static final String FORM = "application/x-www-form-urlencoded";

    @Override
    Replicas replicas() {
        return on(Replicas.USUAL_SERVERS);
    }

    static Replicas on(String server) {
        return new Replicas(
                MvcApplication.class,
                WebApplicationType.SERVLET,
                server,
                "server.http2.enabled=true",
                "spring.mvc.hiddenmethod.filter.enabled=true",
                "election.routing.routes[0].path=/admin/**",
                "election.routing.routes[0].election=orders");
    }

    @Test
    void a_handler_with_a_body_has_the_token_as_an_argument() throws Exception {
        String token =
                replicas.leader().election().leadership().orElseThrow().token().toString();
        assertThat(send(request(replicas.follower(), "/tokens?value=7").POST(text("body")))
                        .body())
                .isEqualTo(token + " " + token);
    }

    /** No header tells there whether a request has a body. */
    @Test
    void a_form_over_http2_that_a_filter_has_read_is_encoded_again() {
        assertThat(overHttp2(HttpMethod.POST, "/form?q=1", FORM, "name=a+b")).isEqualTo("{name=a b, q=1}");
    }

    @Test
    void a_body_over_http2_that_a_filter_has_read_is_refused() {
        String parts =
                "--border\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nreport\r\n--border--\r\n" + UNREAD;
        assertThat(overHttp2(HttpMethod.POST, "/parts", "multipart/form-data; boundary=border", parts))
                .contains(READ);
        assertThat(overHttp2(HttpMethod.POST, "/upload", "text/plain", "body", "body"))
                .contains(READ);
    }

    /** A type whose parts the container reads too. */
    String otherMultipart() {
        return "multipart/mixed";
    }

    /** The container has not noticed the end of some of these bodies, and no parameters are left of a form that was read as bytes. */
    @Test
    void a_body_that_a_filter_has_read_is_refused_with_the_cause_and_the_action() throws Exception {
        String part = "\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nreport\r\n--";
        for (List<String> request : List.of(
                List.of("body", "text/plain", "small"),
                List.of("byte", "text/plain", "x".repeat(50_000)),
                List.of("text", "application/json", "{}"),
                List.of("replayed", "application/json", "{}"),
                List.of("body", FORM, "name=a"),
                List.of("text", FORM, "name=a"),
                List.of("replayed", FORM, "name=a"),
                List.of("parts", otherMultipart() + "; boundary=border", "--border" + part + "border--\r\n" + UNREAD),
                List.of("parts", "multipart/form-data; boundary=a:b", "--a:b" + part + "a:b--\r\n" + UNREAD))) {
            HttpRequest.Builder read = request(replicas.follower(), "/upload?q=1")
                    .timeout(Duration.ofSeconds(10))
                    .header("X-Read", request.get(0))
                    .header("Content-Type", request.get(1));
            HttpResponse<String> answer = send(read.POST(text(request.get(2))));
            assertThat(answer.statusCode()).as("%s", request).isEqualTo(500);
            assertThat(answer.body()).as("%s", request).contains(READ, "Order that filter behind");
        }
    }

    /** As one that logs responses. It writes what it has kept when the filters are left, which is before the response. */
    @Test
    void a_filter_that_keeps_the_response_does_not_keep_that_of_the_leader() throws Exception {
        HttpResponse<String> answer =
                send(request(replicas.follower(), "/status?code=200").header("X-Read", "response"));
        assertThat(answer.body()).isEqualTo("body");
    }

    /** The parameters of a multipart body are its parts. What comes behind them stays unread. */
    @Test
    void a_multipart_body_that_a_filter_has_read_is_refused_with_the_cause_and_the_action() throws Exception {
        HttpResponse<String> answer = send(multipart(replicas.follower(), "/parts"));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains(READ, "Order that filter behind");

        assertThat(send(multipart(replicas.leader(), "/parts")).body()).isEqualTo("report a.txt 50000");
    }
}
