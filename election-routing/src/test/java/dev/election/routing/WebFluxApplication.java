package dev.election.routing;

import dev.election.FencingToken;
import dev.election.spring.reactor.CurrentWorkContext;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.core.io.buffer.DataBufferUtils;
import org.springframework.core.io.buffer.DefaultDataBufferFactory;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.codec.multipart.FilePart;
import org.springframework.http.server.reactive.ServerHttpRequest;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.web.server.ServerHttpSecurity;
import org.springframework.security.web.server.SecurityWebFilterChain;
import org.springframework.security.web.server.firewall.ServerWebExchangeFirewall;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RequestPart;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.WebFilter;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The same application on WebFlux. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({WebFluxApplication.Orders.class, WebFluxApplication.Others.class})
class WebFluxApplication {

    @Bean
    SecurityWebFilterChain security(ServerHttpSecurity http) {
        return http.authorizeExchange(paths -> paths.pathMatchers("/echo/secured")
                        .authenticated()
                        .anyExchange()
                        .permitAll())
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable())
                .build();
    }

    @Bean
    ServerWebExchangeFirewall firewall() {
        return ServerWebExchangeFirewall.INSECURE_NOOP;
    }

    /** Reads what the client asks it to read. */
    @Bean
    @Order(Ordered.HIGHEST_PRECEDENCE)
    WebFilter readsBodies() {
        return (exchange, chain) -> {
            Mono<?> read = Mono.justOrEmpty(exchange.getRequest().getHeaders().getFirst("X-Read"))
                    .flatMap(what -> switch (what) {
                        case "body" ->
                            exchange.getRequest()
                                    .getBody()
                                    .map(DataBufferUtils::release)
                                    .then();
                        case "part" ->
                            exchange.getRequest()
                                    .getBody()
                                    .take(1)
                                    .map(DataBufferUtils::release)
                                    .then();
                        case "parts" -> exchange.getMultipartData();
                        default -> exchange.getFormData();
                    });
            return read.then(chain.filter(exchange));
        };
    }

    @Bean
    WatchedBodies watchedBodies() {
        return new WatchedBodies();
    }

    @Bean
    PlainPasswords passwords() {
        return new PlainPasswords();
    }

    @RestController
    @OnLeader("${orders.election:orders}")
    static class Orders implements EventStreams {

        private final Sinks.Many<String> events = Sinks.many().multicast().directBestEffort();
        private final String node;

        volatile Sinks.Empty<Void> saved = Sinks.empty();

        Orders(Environment environment) {
            this.node = environment.getRequiredProperty("election.node.id");
        }

        @RequestMapping("/echo/**")
        Mono<Map<String, Object>> echo(ServerHttpRequest request) {
            Map<String, Object> said = new TreeMap<>();
            said.put("node", node);
            said.put("token", FencingToken.current().map(FencingToken::value).orElse(0L));
            said.put("method", request.getMethod().name());
            said.put("path", request.getURI().getRawPath());
            said.put("query", String.valueOf(request.getURI().getRawQuery()));
            said.put("url", request.getURI().toString());
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            request.getHeaders()
                    .forEach((name, values) -> headers.put(name.toLowerCase(Locale.ROOT), String.join("|", values)));
            said.put("headers", headers);
            return DataBufferUtils.join(request.getBody())
                    .map(body -> {
                        String text = body.toString(StandardCharsets.UTF_8);
                        DataBufferUtils.release(body);
                        return text;
                    })
                    .defaultIfEmpty("")
                    .map(body -> {
                        said.put("body", body);
                        return said;
                    });
        }

        @PostMapping("/form")
        Mono<String> form(ServerWebExchange exchange, @RequestParam Map<String, String> query) {
            return exchange.getFormData().map(form -> {
                Map<String, String> all = new TreeMap<>(query);
                all.putAll(form.toSingleValueMap());
                return all.toString();
            });
        }

        @PostMapping("/parts")
        Mono<String> parts(@RequestPart String name, @RequestPart FilePart file) {
            return file.content()
                    .map(part -> {
                        int size = part.readableByteCount();
                        DataBufferUtils.release(part);
                        return size;
                    })
                    .reduce(0, Integer::sum)
                    .map(size -> name + " " + file.filename() + " " + size);
        }

        @RequestMapping("/upload")
        Mono<String> upload(ServerHttpRequest request) {
            CRC32 sum = new CRC32();
            long[] size = {0};
            return request.getBody()
                    .map(buffer -> {
                        byte[] bytes = new byte[buffer.readableByteCount()];
                        buffer.read(bytes);
                        DataBufferUtils.release(buffer);
                        sum.update(bytes, 0, bytes.length);
                        size[0] += bytes.length;
                        return size;
                    })
                    .then(Mono.fromSupplier(() -> size[0] + " " + Long.toHexString(sum.getValue())));
        }

        @GetMapping(path = "/download", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
        Flux<DataBuffer> download(@RequestParam long size) {
            return Flux.generate(() -> size, (left, sink) -> {
                if (left <= 0) {
                    sink.complete();
                } else {
                    sink.next(DefaultDataBufferFactory.sharedInstance.wrap(new byte[(int) Math.min(left, 8192)]));
                }
                return left - 8192;
            });
        }

        /** Answers nothing. */
        @GetMapping("/never")
        Mono<String> never() {
            return Mono.never();
        }

        /** Answers a part. */
        @GetMapping(path = "/endless", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
        Flux<DataBuffer> endless() {
            DataBuffer part = DefaultDataBufferFactory.sharedInstance.wrap("part".getBytes(StandardCharsets.UTF_8));
            return Flux.just(part).concatWith(Mono.never());
        }

        /** Answers a part when something else is saved, as a session is. */
        @GetMapping(path = "/saving", produces = MediaType.APPLICATION_OCTET_STREAM_VALUE)
        Flux<DataBuffer> saving(ServerWebExchange exchange, @RequestParam(defaultValue = "false") boolean endless) {
            exchange.getResponse().beforeCommit(saved::asMono);
            return endless ? endless() : endless().take(1);
        }

        @GetMapping("/token")
        Mono<String> token() {
            return Mono.just(
                    node + " " + FencingToken.current().map(FencingToken::value).orElse(0L));
        }

        /** The tokens that a handler with a body has as an argument and, behind an asynchronous step, in the context and on the thread. */
        @PostMapping("/tokens")
        Mono<String> tokens(@RequestBody String body, FencingToken argument) {
            return Mono.delay(Duration.ofMillis(1))
                    .transformDeferredContextual((later, context) -> later.map(tick -> argument + " "
                            + CurrentWorkContext.from(context).token().orElseThrow() + " "
                            + FencingToken.current().map(FencingToken::value).orElse(0L)));
        }

        @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        Flux<String> events() {
            // The stream listens before it sends its first event, so that a client of it misses none after that.
            return Flux.merge(events.asFlux(), Flux.just("begun on " + node));
        }

        @Override
        public void emit(String event) {
            events.tryEmitNext(event);
        }

        @GetMapping("/status")
        ResponseEntity<String> status(@RequestParam int code) {
            return ResponseEntity.status(code)
                    .header("X-Own", "a", "b")
                    .body(code == 204 || code == 304 ? null : "body");
        }

        @OnLeader(value = "orders", mode = RoutingMode.REFUSE)
        @GetMapping("/refuse")
        String refuse() {
            return node;
        }

        @OnLeader(value = "orders", mode = RoutingMode.REDIRECT)
        @GetMapping("/redirect/**")
        String redirect() {
            return node;
        }
    }

    @RestController
    static class Others {

        private final String node;

        Others(Environment environment) {
            this.node = environment.getRequiredProperty("election.node.id");
        }

        @GetMapping({"/anywhere", "/admin/anything", "/echoes"})
        String anywhere() {
            return node;
        }

        @GetMapping("/unrouted")
        Mono<String> unrouted(FencingToken token) {
            return Mono.just("token " + token);
        }
    }
}
