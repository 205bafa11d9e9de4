package dev.election.routing;

import dev.election.FencingToken;
import jakarta.servlet.Filter;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.zip.CRC32;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.core.Ordered;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.firewall.HttpFirewall;
import org.springframework.security.web.firewall.StrictHttpFirewall;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestAttribute;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.context.request.async.DeferredResult;
import org.springframework.web.multipart.MultipartFile;
import org.springframework.web.servlet.mvc.method.annotation.ResponseBodyEmitter;
import org.springframework.web.servlet.mvc.method.annotation.SseEmitter;
import org.springframework.web.servlet.mvc.method.annotation.StreamingResponseBody;
import org.springframework.web.util.ContentCachingResponseWrapper;

/** An application with handlers for its leader. */
@Configuration(proxyBeanMethods = false)
@EnableAutoConfiguration
@Import({MvcApplication.Orders.class, MvcApplication.Others.class})
class MvcApplication {

    /** The attribute of a request with a future that completes when all filters are left. */
    private static final String FILTERED = "filtered";

    /**
     * Notes when all filters have been left. Spring Security writes its headers then, or when the response is committed: if a body on another
     * thread did that at the same time, the response would lack some.
     */
    @Bean
    FilterRegistrationBean<Filter> filtering() {
        FilterRegistrationBean<Filter> filtering = new FilterRegistrationBean<>((request, response, chain) -> {
            CompletableFuture<Void> filtered = new CompletableFuture<>();
            request.setAttribute(FILTERED, filtered);
            try {
                chain.doFilter(request, response);
            } finally {
                filtered.complete(null);
            }
        });
        // An annotation of this method would order the bean, but not the filter.
        filtering.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return filtering;
    }

    /** Reads what the client asks it to read, unless another node has forwarded the request. */
    @Bean
    FilterRegistrationBean<Filter> reading() {
        FilterRegistrationBean<Filter> reading = new FilterRegistrationBean<>((request, response, chain) -> {
            HttpServletRequest http = (HttpServletRequest) request;
            String what = http.getHeader("Election-Hop") == null ? http.getHeader("X-Read") : null;
            if ("replayed".equals(what)) {
                chain.doFilter(new Replayed(http), response);
                return;
            } else if ("response".equals(what)) {
                ContentCachingResponseWrapper cached =
                        new ContentCachingResponseWrapper((HttpServletResponse) response);
                chain.doFilter(request, cached);
                cached.copyBodyToResponse();
                return;
            } else if ("body".equals(what)) {
                request.getInputStream().readAllBytes();
            } else if ("byte".equals(what)) {
                int unused = request.getInputStream().read();
            } else if ("text".equals(what)) {
                int unused = request.getReader().read();
            } else if ("parts".equals(what)) {
                http.getParts();
            }
            chain.doFilter(request, response);
        });
        reading.setOrder(Ordered.HIGHEST_PRECEDENCE + 1);
        return reading;
    }

    /** Lets forms and odd paths through to the router, which are its own concern then. */
    @Bean
    SecurityFilterChain security(HttpSecurity http) {
        return http.authorizeHttpRequests(paths -> paths.requestMatchers("/echo/secured")
                        .authenticated()
                        .anyRequest()
                        .permitAll())
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.disable())
                .build();
    }

    @Bean
    HttpFirewall firewall() {
        StrictHttpFirewall firewall = new StrictHttpFirewall();
        firewall.setAllowSemicolon(true);
        firewall.setUnsafeAllowAnyHttpMethod(true);
        firewall.setAllowUrlEncodedSlash(true);
        firewall.setAllowUrlEncodedDoubleSlash(true);
        return firewall;
    }

    @Bean
    PlainPasswords passwords() {
        return new PlainPasswords();
    }

    /** Shows the body again to whoever reads it by and by, and calls no listener. */
    private static final class Replayed extends HttpServletRequestWrapper {

        private final byte[] body;

        private Replayed(HttpServletRequest request) throws IOException {
            super(request);
            this.body = request.getInputStream().readAllBytes();
        }

        @Override
        public ServletInputStream getInputStream() {
            ByteArrayInputStream bytes = new ByteArrayInputStream(body);
            return new ServletInputStream() {
                @Override
                public boolean isFinished() {
                    return bytes.available() == 0;
                }

                @Override
                public boolean isReady() {
                    return true;
                }

                @Override
                public void setReadListener(ReadListener listener) {}

                @Override
                public int read() {
                    return bytes.read();
                }
            };
        }
    }

    @RestController
    @OnLeader("${orders.election:orders}")
    static class Orders implements EventStreams {

        /** The open streams of events. */
        private final List<SseEmitter> streams = new CopyOnWriteArrayList<>();

        private final String node;

        Orders(Environment environment) {
            this.node = environment.getRequiredProperty("election.node.id");
        }

        /** Says what has arrived. */
        @RequestMapping("/echo/**")
        Map<String, Object> echo(HttpServletRequest request) throws IOException {
            Map<String, Object> said = new TreeMap<>();
            said.put("node", node);
            said.put("token", FencingToken.current().map(FencingToken::value).orElse(0L));
            said.put("method", request.getMethod());
            said.put("path", request.getRequestURI());
            said.put("query", String.valueOf(request.getQueryString()));
            said.put("url", request.getRequestURL().toString());
            Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
            Collections.list(request.getHeaderNames())
                    .forEach(name -> headers.put(
                            name.toLowerCase(Locale.ROOT),
                            String.join("|", Collections.list(request.getHeaders(name)))));
            said.put("headers", headers);
            said.put("body", new String(request.getInputStream().readAllBytes()));
            return said;
        }

        @PostMapping("/form")
        String form(@RequestParam Map<String, String> parameters) {
            return new TreeMap<>(parameters).toString();
        }

        @PostMapping("/parts")
        String parts(@RequestParam String name, @RequestParam MultipartFile file) {
            return name + " " + file.getOriginalFilename() + " " + file.getSize();
        }

        /** Says how much has arrived. */
        @RequestMapping("/upload")
        String upload(InputStream body) throws IOException {
            CRC32 sum = new CRC32();
            byte[] buffer = new byte[8192];
            long size = 0;
            for (int read = body.read(buffer); read >= 0; read = body.read(buffer)) {
                sum.update(buffer, 0, read);
                size += read;
            }
            return size + " " + Long.toHexString(sum.getValue());
        }

        @GetMapping("/download")
        StreamingResponseBody download(
                @RequestParam long size, @RequestAttribute(FILTERED) CompletableFuture<Void> filtered) {
            return out -> {
                filtered.join();
                byte[] buffer = new byte[8192];
                for (long left = size; left > 0; left -= buffer.length) {
                    out.write(buffer, 0, (int) Math.min(left, buffer.length));
                }
            };
        }

        /** Answers nothing. */
        @GetMapping("/never")
        DeferredResult<String> never() {
            return new DeferredResult<>(0L);
        }

        /** Answers a part. */
        @GetMapping("/endless")
        ResponseBodyEmitter endless() throws IOException {
            ResponseBodyEmitter emitter = new ResponseBodyEmitter(0L);
            emitter.send("part");
            return emitter;
        }

        @GetMapping("/token")
        Callable<String> tokenOfCallable() {
            return () ->
                    node + " " + FencingToken.current().map(FencingToken::value).orElse(0L);
        }

        @PostMapping("/tokens")
        String tokens(@RequestBody String body, FencingToken argument) {
            return FencingToken.current().orElseThrow() + " " + argument;
        }

        @GetMapping(path = "/events", produces = MediaType.TEXT_EVENT_STREAM_VALUE)
        SseEmitter events() throws IOException {
            SseEmitter emitter = new SseEmitter(0L);
            emitter.send("begun on " + node);
            streams.add(emitter);
            return emitter;
        }

        @Override
        public void emit(String event) {
            for (SseEmitter stream : streams) {
                try {
                    stream.send(event);
                } catch (IOException | IllegalStateException ended) {
                    streams.remove(stream);
                }
            }
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
        String unrouted(FencingToken token) {
            return "token " + token;
        }

        @GetMapping("/thread")
        String thread() {
            return node + " " + Thread.currentThread();
        }
    }
}
