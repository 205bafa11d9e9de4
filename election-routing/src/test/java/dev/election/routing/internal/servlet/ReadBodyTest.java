package dev.election.routing.internal.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.routing.internal.decision.Routes;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;

/** With a container that does not say when it has read a stream itself, as Jetty. */
class ReadBodyTest {

    private final MockHttpServletRequest form = new MockHttpServletRequest("POST", "/x");

    ReadBodyTest() {
        form.setContentType("application/x-www-form-urlencoded");
        form.setContent("name=a+b".getBytes(StandardCharsets.US_ASCII));
        form.addParameter("name", "a b");
    }

    @Test
    void a_form_of_which_a_filter_has_asked_for_parameters_is_encoded_again() throws Exception {
        behindTheFilter(request -> {
            assertThat(request.getParameter("other")).isNull();
            assertThat(ReadBody.isGone(request)).isTrue();
            assertThat(ReadBody.form(request)).isEqualTo("name=a+b");
        });
    }

    @Test
    void a_form_of_which_nobody_has_asked_for_parameters_is_forwarded_as_it_came() throws Exception {
        behindTheFilter(request -> assertThat(ReadBody.isGone(request)).isFalse());
    }

    private void behindTheFilter(Filtered filtered) throws Exception {
        Routes routes = new Routes(List.of(), null, text -> text);
        routes.lookForHandlers();
        new BodyFilter(routes)
                .doFilter(
                        form,
                        new MockHttpServletResponse(),
                        (request, response) -> filtered.accept((HttpServletRequest) request));
    }

    @FunctionalInterface
    private interface Filtered {
        void accept(HttpServletRequest request) throws IOException;
    }
}
