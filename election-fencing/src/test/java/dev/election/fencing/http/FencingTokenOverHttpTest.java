package dev.election.fencing.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.fencing.Fenced;
import dev.election.fencing.TokenGate;
import dev.election.fencing.TokenGate.Admitted;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.Thorough;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.client.ClientHttpResponse;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.stereotype.Component;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.RestClient;
import org.springframework.web.client.RestTemplate;
import org.springframework.web.reactive.function.client.WebClient;

/** A leader calls another service, by real HTTP. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class FencingTokenOverHttpTest {

    private static final long DAY = 86_400_000;

    private final HandDrivenElections elections = new HandDrivenElections();

    @AutoClose
    private ConfigurableApplicationContext context;

    private String url;
    private RestClient client;
    private long now;

    @BeforeAll
    void start() {
        context = new SpringApplicationBuilder(Application.class)
                .web(WebApplicationType.SERVLET)
                .registerShutdownHook(false)
                .properties(
                        "server.port=0",
                        "spring.main.banner-mode=off",
                        "spring.security.user.name=leader",
                        "spring.security.user.password=secret",
                        "election.fencing.http.send-to=127.0.0.1")
                .initializers(fresh -> fresh.getBeanFactory().registerSingleton("elections", elections))
                .run();
        url = "http://127.0.0.1:" + context.getEnvironment().getRequiredProperty("local.server.port");
        client = context.getBean(RestClient.Builder.class)
                .defaultHeaders(headers -> headers.setBasicAuth("leader", "secret"))
                .build();
        now = System.currentTimeMillis();
    }

    @Test
    void leader_work_sends_its_token_and_nothing_else_does() throws Exception {
        assertThat(as(7, () -> get("/echo"))).isEqualTo("[7]");
        assertThat(get("/echo")).isEqualTo("[]");
        assertThat(as(7, () -> client.get()
                        .uri(url + "/echo")
                        .header(FencingTokenHeader.NAME, "5")
                        .retrieve()
                        .body(String.class)))
                .isEqualTo("[5]");
        assertThat(as(7, () -> client.get()
                        .uri(url.replace("127.0.0.1", "localhost") + "/echo")
                        .retrieve()
                        .body(String.class)))
                .isEqualTo("[]");
    }

    @Test
    void rest_template_and_web_client_send_it_too() throws Exception {
        RestTemplate template = context.getBean(org.springframework.boot.restclient.RestTemplateBuilder.class)
                .basicAuthentication("leader", "secret")
                .build();
        assertThat(as(7, () -> template.getForObject(url + "/echo", String.class)))
                .isEqualTo("[7]");

        WebClient web = context.getBean(WebClient.Builder.class)
                .defaultHeaders(headers -> headers.setBasicAuth("leader", "secret"))
                .build();
        assertThat(as(7, () -> web.get()
                        .uri(url + "/echo")
                        .retrieve()
                        .bodyToMono(String.class)
                        .block()))
                .isEqualTo("[7]");
    }

    @Test
    void an_older_token_is_refused_once_a_newer_one_was_there() {
        assertThat(post("older", now)).isEqualTo(200);
        assertThat(post("older", now + 1)).isEqualTo(200);
        assertThat(post("older", now + 1)).isEqualTo(200);

        assertThat(post("older", now)).isEqualTo(412);
        assertThat(post("other", now)).isEqualTo(200);
    }

    @Test
    void a_forged_token_keeps_no_later_leader_out() {
        assertThat(post("forged", (1L << 53) - 1)).isEqualTo(400);
        assertThat(post("forged", System.currentTimeMillis() + DAY + 60_000)).isEqualTo(400);
        assertThat(post("forged", now)).isEqualTo(200);
    }

    @Test
    void without_a_token_or_with_none_that_can_be_one_nothing_is_done() {
        assertThat(post("none", null)).isEqualTo(400);
        for (String wrong : List.of("", "x", "-1", "0", "1.5", "9007199254740992", "99999999999999999999")) {
            assertThat(status(client.post().uri(url + "/none").header(FencingTokenHeader.NAME, wrong)))
                    .as(wrong)
                    .isEqualTo(400);
        }
        assertThat(status(client.post().uri(url + "/none").header(FencingTokenHeader.NAME, "5", "6")))
                .isEqualTo(400);
    }

    @Test
    void only_an_authenticated_caller_may_send_one() {
        assertThat(status(RestClient.create()
                        .post()
                        .uri(url + "/open")
                        .header(FencingTokenHeader.NAME, Long.toString(now))))
                .isEqualTo(401);
        assertThat(post("open", now - 1)).isEqualTo(200);
    }

    @Test
    void a_handler_knows_the_token_that_was_received() {
        assertThat(client.post()
                        .uri(url + "/received")
                        .header(FencingTokenHeader.NAME, Long.toString(now + 1))
                        .retrieve()
                        .body(String.class))
                .isEqualTo("received " + (now + 1));
        assertThat(ReceivedToken.current()).isEmpty();
    }

    @Test
    void a_request_that_is_dispatched_to_the_handler_is_checked_too() {
        assertThat(post("dispatched", now + 1)).isEqualTo(200);
        assertThat(post("dispatch?to=/dispatched", now + 1)).isEqualTo(200);

        assertThat(post("dispatch?to=/dispatched", now)).isEqualTo(412);
    }

    /** 200 times: a leader that has stopped sends its request after the first one of its successor. */
    @Thorough
    @Test
    void the_request_of_a_leader_that_was_stopped_changes_nothing() throws Exception {
        JdbcTemplate jdbc = context.getBean(JdbcTemplate.class);
        for (int i = 0; i < 200; i++) {
            long stopped = now + 10 + 2L * i;
            long successor = stopped + 1;
            assertThat(as(successor, () -> write("fenced"))).isEqualTo(200);
            assertThat(as(stopped, () -> write("fenced"))).isEqualTo(412);
            assertThat(as(successor, () -> write("unfenced"))).isEqualTo(200);
            assertThat(as(stopped, () -> write("unfenced"))).isEqualTo(200);

            assertThat(by(jdbc, "fenced")).isEqualTo(successor);
            assertThat(by(jdbc, "unfenced")).isEqualTo(stopped);
        }
    }

    /** The gate alone could be overtaken between its answer and the commit. */
    @Test
    void a_fenced_transaction_in_the_handler_takes_the_received_token() {
        long token = now + 100_000;
        assertThat(post("ledger", token)).isEqualTo(200);
        context.getBean(Overtaking.class).by = Optional.of(new FencingToken(token + 1));

        assertThat(post("ledger", token)).isEqualTo(500);
        assertThat(by(context.getBean(JdbcTemplate.class), "ledger")).isEqualTo(token);
        assertThat(post("ledger", token)).isEqualTo(412);
        assertThat(post("ledger", token + 1)).isEqualTo(200);
    }

    private <T> T as(long token, Callable<T> work) throws Exception {
        HandDrivenElection election = elections.get("default");
        election.lead(token);
        try (LeaderWork running = election.beginWork().orElseThrow();
                LeaderWork.Scope scope = running.onThisThread()) {
            return work.call();
        }
    }

    private @Nullable String get(String path) {
        return client.get().uri(url + path).retrieve().body(String.class);
    }

    private int write(String row) {
        return status(client.post().uri(url + "/write/" + row));
    }

    private int post(String path, @Nullable Long token) {
        RestClient.RequestBodySpec request = client.post().uri(url + "/" + path);
        return status(token == null ? request : request.header(FencingTokenHeader.NAME, token.toString()));
    }

    private static int status(RestClient.RequestHeadersSpec<?> request) {
        HttpStatusCode status = request.exchange((sent, response) -> statusOf(response));
        return status == null ? 0 : status.value();
    }

    private static HttpStatusCode statusOf(ClientHttpResponse response) throws java.io.IOException {
        return response.getStatusCode();
    }

    private static @Nullable Long by(JdbcTemplate jdbc, String row) {
        return jdbc.queryForObject("select token from written where name = ?", Long.class, row);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import({Service.class, Ledger.class, Overtaking.class})
    static class Application {

        @Bean
        SecurityFilterChain all(HttpSecurity http) throws Exception {
            return http.authorizeHttpRequests(requests -> requests.requestMatchers("/open")
                            .permitAll()
                            .anyRequest()
                            .authenticated())
                    .csrf(csrf -> csrf.disable())
                    .httpBasic(Customizer.withDefaults())
                    .build();
        }

        /** The usual one would take most of the time of each request. */
        @Bean
        PasswordEncoder plain() {
            return new PasswordEncoder() {
                @Override
                public String encode(@Nullable CharSequence raw) {
                    return String.valueOf(raw);
                }

                @Override
                public boolean matches(@Nullable CharSequence raw, @Nullable String encoded) {
                    return encode(raw).equals(encoded);
                }
            };
        }

        @Bean
        Written written(JdbcTemplate jdbc) {
            jdbc.execute("create table written (name varchar(50) primary key, token bigint)");
            return new Written(jdbc);
        }
    }

    record Written(JdbcTemplate jdbc) {

        void write(String row, long token) {
            jdbc.update("merge into written (name, token) values (?, ?)", row, token);
        }
    }

    @RestController
    static class Service {

        private final Written written;
        private final Ledger ledger;

        Service(Written written, Ledger ledger) {
            this.written = written;
            this.ledger = ledger;
        }

        @GetMapping("/echo")
        String echo(
                @org.springframework.web.bind.annotation.RequestHeader(name = FencingTokenHeader.NAME, required = false)
                        @Nullable
                        List<String> tokens) {
            return tokens == null ? "[]" : tokens.toString();
        }

        @PostMapping("/older")
        @RequireFencingToken("older")
        void older() {}

        @PostMapping("/dispatched")
        @RequireFencingToken("dispatched")
        void dispatched() {}

        @PostMapping("/dispatch")
        void dispatch(jakarta.servlet.http.HttpServletRequest request) {
            request.startAsync().dispatch(request.getParameter("to"));
        }

        @PostMapping("/received")
        @RequireFencingToken("received")
        String received() {
            ReceivedToken received = ReceivedToken.current().orElseThrow();
            return received.resource() + " " + received.token();
        }

        @PostMapping("/other")
        @RequireFencingToken("other")
        void other() {}

        @PostMapping("/forged")
        @RequireFencingToken("${no.such.property:forged}")
        void forged() {}

        @PostMapping("/none")
        @RequireFencingToken("none")
        void none() {
            throw new IllegalStateException("called");
        }

        @PostMapping("/open")
        @RequireFencingToken("open")
        void open() {}

        @PostMapping("/write/fenced")
        @RequireFencingToken("write")
        void fenced() {
            written.write(
                    "fenced", ReceivedToken.current().orElseThrow().token().value());
        }

        @PostMapping("/write/unfenced")
        void unfenced(@org.springframework.web.bind.annotation.RequestHeader(FencingTokenHeader.NAME) long token) {
            written.write("unfenced", token);
        }

        @PostMapping("/ledger")
        @RequireFencingToken("ledger")
        void ledger() {
            ledger.write(ReceivedToken.current().orElseThrow().token().value());
        }
    }

    /** Lets a newer leader be admitted after the check of the request and before its commit. */
    @Component
    static class Overtaking {

        private final TokenGate gate;
        private Optional<FencingToken> by = Optional.empty();

        Overtaking(TokenGate gate) {
            this.gate = gate;
        }

        void now() {
            by.ifPresent(newer -> assertThat(gate.admit("ledger", newer)).isEqualTo(new Admitted()));
            by = Optional.empty();
        }
    }

    @Component
    static class Ledger {

        private final Written written;
        private final Overtaking overtaking;

        Ledger(Written written, Overtaking overtaking) {
            this.written = written;
            this.overtaking = overtaking;
        }

        @Fenced(resource = "ledger")
        @Transactional
        public void write(long token) {
            written.write("ledger", token);
            overtaking.now();
        }
    }
}
