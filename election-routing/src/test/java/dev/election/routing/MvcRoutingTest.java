package dev.election.routing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.routing.Replicas.Replica;
import io.netty.handler.codec.http.HttpMethod;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** Spring MVC on Tomcat, behind a filter that reads the parameters of each POST. */
class MvcRoutingTest extends RoutingContract {

    @Override
    Replicas replicas() {
        return new Replicas(
                MvcApplication.class,
                WebApplicationType.SERVLET,
                "server.http2.enabled=true",
                "spring.mvc.hiddenmethod.filter.enabled=true",
                "election.routing.routes[0].path=/admin/**",
                "election.routing.routes[0].election=orders");
    }

    /** No header tells there whether a request has a body. */
    @Test
    void a_form_over_http2_that_a_filter_has_read_is_encoded_again() {
        assertThat(overHttp2(HttpMethod.POST, "/form?q=1", "application/x-www-form-urlencoded", "name=a+b"))
                .isEqualTo("{name=a b, q=1}");
    }

    @Test
    void a_multipart_body_over_http2_that_a_filter_has_read_is_refused() {
        String parts =
                "--border\r\nContent-Disposition: form-data; name=\"name\"\r\n\r\nreport\r\n--border--\r\n" + UNREAD;
        assertThat(overHttp2(HttpMethod.POST, "/parts", "multipart/form-data; boundary=border", parts))
                .contains("a filter has read its body before");
    }

    /** The parameters of a multipart body are its parts. What comes behind them stays unread. */
    @Test
    void a_multipart_body_that_a_filter_has_read_is_refused_with_the_cause_and_the_action() throws Exception {
        HttpResponse<String> answer = send(multipart(replicas.follower(), "/parts"));
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(answer.body()).contains("a filter has read its body before", "Order that filter behind");

        assertThat(send(multipart(replicas.leader(), "/parts")).body()).isEqualTo("report a.txt 50000");
    }

    /** A filter asks for parameters there too, but the container leaves the body. */
    @Test
    void a_multipart_body_is_forwarded_where_multipart_requests_are_disabled() throws Exception {
        Replica follower = replicas.add("disabled", "election.role=observer", "spring.servlet.multipart.enabled=false");
        replicas.awaitLeader();

        assertThat(send(multipart(follower, "/parts")).body()).isEqualTo("report a.txt 50000");
    }
}
