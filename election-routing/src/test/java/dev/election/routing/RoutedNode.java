package dev.election.routing;

import dev.election.Election;
import dev.election.Elections;
import dev.election.FencingToken;
import dev.election.LeadershipEvent;
import jakarta.servlet.http.HttpServletRequest;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.EventListener;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A replica in a process of its own, which says on standard output what it does. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration(
        excludeName = {
            "org.springframework.boot.security.autoconfigure.SecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.UserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.servlet.SecurityFilterAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.ReactiveUserDetailsServiceAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.web.reactive.ReactiveWebSecurityAutoConfiguration",
            "org.springframework.boot.security.autoconfigure.actuate.web.reactive.ReactiveManagementWebSecurityAutoConfiguration"
        })
class RoutedNode {

    static final String ELECTION = "orders";

    /** Runs an application of Spring MVC on Jetty. */
    static final String JETTY = "--node.server=jetty";

    /** Runs an application of WebFlux on Netty. */
    static final String NETTY = "--node.server=netty";

    public static void main(String[] arguments) throws IOException {
        List<String> given = List.of(arguments);
        boolean isReactive = given.contains(NETTY);
        ConfigurableApplicationContext context = new SpringApplicationBuilder(RoutedNode.class)
                .web(isReactive ? WebApplicationType.REACTIVE : WebApplicationType.SERVLET)
                .properties("spring.main.banner-mode=off", "logging.level.root=off", "spring.jmx.enabled=false")
                .properties(
                        "spring.data.redis.repositories.enabled=false",
                        "election.node.address=127.0.0.1",
                        given.contains(JETTY) ? Replicas.JETTY : Replicas.USUAL_SERVERS)
                .run(arguments);
        say("ready");
        BufferedReader commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = commands.readLine(); line != null; line = commands.readLine()) {
            Election election = context.getBean(Elections.class).get(ELECTION);
            switch (line) {
                case "abdicate" -> election.abdicate();
                case "load" ->
                    say("load " + election.runningWork() + " "
                            + ManagementFactory.getThreadMXBean().getThreadCount());
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    /** One line at a time. What was said is known also if the process is killed right afterwards. */
    private static synchronized void say(String line) {
        System.out.println(line);
        System.out.flush();
    }

    private static void ran(String id) {
        say("ran " + id + " "
                + FencingToken.current().map(FencingToken::toString).orElse("none"));
    }

    @EventListener
    void acquired(LeadershipEvent.Acquired event) {
        say("leads " + event.leader().token());
    }

    @RestController
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
    static class Runs {

        /** A small request. */
        @OnLeader(ELECTION)
        @GetMapping("/small")
        String small() {
            return "ok";
        }

        /** Runs a request: reads its body and answers so many bytes. */
        @OnLeader(ELECTION)
        @RequestMapping("/run/{id}")
        StreamingResponseBody run(
                @PathVariable String id, @RequestParam(defaultValue = "10") long size, HttpServletRequest request)
                throws IOException {
            ran(id);
            byte[] buffer = new byte[8192];
            try (InputStream body = request.getInputStream()) {
                while (body.read(buffer) >= 0) {
                    // Only its size counts, which the container checks.
                }
            }
            return out -> {
                for (long left = size; left > 0; left -= buffer.length) {
                    out.write(buffer, 0, (int) Math.min(left, buffer.length));
                }
            };
        }
    }

    /** Runs the same requests in an application of WebFlux. */
    @RestController
    @ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
    static class ReactiveRuns {

        @OnLeader(ELECTION)
        @RequestMapping("/run/{id}")
        Mono<Void> run(
                @PathVariable String id,
                @RequestParam(defaultValue = "10") long size,
                ServerHttpRequest request,
                ServerHttpResponse response) {
            ran(id);
            byte[] buffer = new byte[8192];
            Flux<DataBuffer> answer = Flux.generate(() -> size, (left, sink) -> {
                if (left <= 0) {
                    sink.complete();
                    return 0L;
                }
                byte[] part = left < buffer.length ? new byte[left.intValue()] : buffer;
                sink.next(response.bufferFactory().wrap(part));
                return left - part.length;
            });
            return request.getBody().map(DataBufferUtils::release).then(response.writeWith(answer));
        }
    }
}
