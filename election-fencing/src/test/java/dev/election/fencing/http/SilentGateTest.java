package dev.election.fencing.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.test.web.servlet.request.MockMvcRequestBuilders.post;

import dev.election.FencingToken;
import dev.election.fencing.TokenGate;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.test.web.servlet.MockMvc;
import org.springframework.test.web.servlet.setup.MockMvcBuilders;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A service whose store of the newest tokens fails or gives no reply refuses requests with 503, soon. */
@Timeout(60)
class SilentGateTest {

    private final CountDownLatch silence = new CountDownLatch(1);
    private @Nullable ReceivingInterceptor interceptor;

    @AfterEach
    void close() {
        silence.countDown();
        if (interceptor != null) {
            interceptor.close();
        }
    }

    @Test
    void a_gate_that_fails_is_answered_with_503() throws Exception {
        MockMvc service = service(
                (resource, token) -> {
                    throw new IllegalStateException("no connection");
                },
                Duration.ofSeconds(30));
        MockHttpServletResponse response = ask(service);
        assertThat(response.getStatus()).isEqualTo(503);
    }

    @Test
    void a_gate_that_fails_every_other_time_is_not_logged_each_time() throws Exception {
        AtomicInteger questions = new AtomicInteger();
        MockMvc service = service(
                (resource, token) -> {
                    if (questions.incrementAndGet() % 2 == 0) {
                        throw new IllegalStateException("no connection");
                    }
                    return new TokenGate.Admitted();
                },
                Duration.ofSeconds(30));
        try (LoggedLines log = new LoggedLines("dev.election.fencing")) {
            for (int i = 0; i < 20; i++) {
                assertThat(ask(service).getStatus()).isEqualTo(i % 2 == 0 ? 200 : 503);
            }
            assertThat(log.with("Failed to check a fencing token")).hasSize(1);
        }
    }

    @Test
    void a_gate_that_does_not_answer_is_given_up_after_the_limit() throws Exception {
        MockMvc service = service(
                (resource, token) -> {
                    awaitEnd();
                    return new TokenGate.Admitted();
                },
                Duration.ofMillis(100));
        assertThat(ask(service).getStatus()).isEqualTo(503);
    }

    @Test
    void many_requests_at_a_silent_gate_hold_a_bounded_number_of_threads_and_pass_when_it_answers_again()
            throws Exception {
        MockMvc service = service(
                (resource, token) -> {
                    awaitEnd();
                    return new TokenGate.Admitted();
                },
                Duration.ofMillis(200));
        ExecutorService callers = Executors.newFixedThreadPool(100);
        try {
            List<Future<Integer>> statuses = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                statuses.add(callers.submit(() -> ask(service).getStatus()));
            }
            for (Future<Integer> status : statuses) {
                assertThat(status.get()).isEqualTo(503);
            }
        } finally {
            callers.shutdownNow();
        }
        assertThat(gateThreads()).isBetween(1L, 32L);
        silence.countDown();
        Awaitility.await()
                .untilAsserted(() -> assertThat(ask(service).getStatus()).isEqualTo(200));
    }

    /** As a driver does that can't be interrupted, for 20 s. */
    private void awaitEnd() {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        boolean ended = false;
        while (!ended && System.nanoTime() < until) {
            try {
                ended = silence.await(until - System.nanoTime(), TimeUnit.NANOSECONDS);
            } catch (InterruptedException ignored) {
                // Waits on.
            }
        }
    }

    private static long gateThreads() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("election-token-gate"))
                .count();
    }

    private MockMvc service(TokenGate gate, Duration limit) {
        interceptor = new ReceivingInterceptor(() -> gate, limit, text -> text, true);
        return MockMvcBuilders.standaloneSetup(new Billing())
                .addInterceptors(interceptor)
                .build();
    }

    private static MockHttpServletResponse ask(MockMvc service) throws Exception {
        return service.perform(post("/invoices").header(FencingTokenHeader.NAME, new FencingToken(7).toString()))
                .andReturn()
                .getResponse();
    }

    @RestController
    static class Billing {

        @PostMapping("/invoices")
        @RequireFencingToken("billing")
        void create() {}
    }
}
