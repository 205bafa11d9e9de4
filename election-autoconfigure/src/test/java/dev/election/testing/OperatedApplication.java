package dev.election.testing;

import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.StoreProblem;
import dev.election.Timing;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LeaseStore;
import dev.election.store.LedgerStore;
import dev.election.store.NoAnswer;
import dev.election.store.ReadReply;
import dev.election.store.StoreRequest;
import dev.election.store.test.InMemoryLeaseStore;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;

/** A whole application with the actuator, asked as an operator does, and other nodes beside it that share its lease store. */
public final class OperatedApplication implements AutoCloseable {

    public static final String NODE = "app";

    /** No pause of the machine ends it. */
    public static final Duration LEASE = Duration.ofSeconds(6);

    private final InMemoryLeaseStore store = new InMemoryLeaseStore(() -> System.nanoTime() / 1_000_000 + 1);
    private final List<ElectionEngine> others = new ArrayList<>();
    private final String[] properties;
    private volatile ConfigurableApplicationContext context;
    private volatile boolean isAway;

    public OperatedApplication(String... properties) {
        this.properties = properties;
    }

    /** Another node, which takes part from now on. */
    public Election join(String node) {
        ElectionEngine engine = ElectionEngine.over(store)
                .as(new NodeInfo(node, node + ":80"))
                .timing(new Timing(LEASE, LEASE.dividedBy(3), Duration.ofSeconds(2)))
                .build();
        others.add(engine);
        Election election = engine.get(Election.DEFAULT);
        engine.start();
        return election;
    }

    public OperatedApplication start(WebApplicationType kind, Class<?>... more) {
        context = new SpringApplicationBuilder(Application.class)
                .sources(more)
                .web(kind)
                .registerShutdownHook(false)
                .properties("server.port=0", "spring.main.banner-mode=off", "spring.jmx.enabled=false")
                .properties("spring.reactor.netty.shutdown-quiet-period=0s")
                .properties(
                        "election.node.id=" + NODE,
                        "election.node.address=app:80",
                        "election.lease=" + LEASE.toMillis() + "ms")
                .properties("election.elections.default.drain=2s")
                .properties("election.shutdown.await=2s", "election.node.metadata.zone=eu-1")
                .properties("management.endpoints.web.exposure.include=leader,health,info")
                .properties("management.endpoint.health.show-details=always")
                .properties(properties)
                .initializers((ApplicationContextInitializer<GenericApplicationContext>) fresh -> {
                    // What runs while the application starts may ask it as well.
                    context = fresh;
                    fresh.getBeanFactory().registerSingleton("operatedApplication", this);
                    fresh.registerBean(LeaseStore.class, () -> reachable(store));
                    fresh.registerBean(LedgerStore.class, InMemoryLedgerStore::new);
                })
                .run();
        return this;
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Whether the store answers this application; the other nodes reach it anyhow. */
    public void away(boolean isAway) {
        this.isAway = isAway;
    }

    private LeaseStore reachable(LeaseStore store) {
        return new ForwardingLeaseStore(store) {
            @Override
            public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
                return isAway ? Collections.nCopies(requests.size(), away()) : super.send(requests);
            }

            @Override
            public CompletionStage<ReadReply> read(String election) {
                return isAway ? away().thenApply(noAnswer -> noAnswer) : super.read(election);
            }
        };
    }

    private static CompletionStage<NoAnswer> away() {
        return CompletableFuture.completedFuture(new NoAnswer(StoreProblem.UNREACHABLE, "away", "let it come back"));
    }

    public HttpResponse<String> get(String path) {
        return send("GET", path, null);
    }

    public HttpResponse<String> delete(String path) {
        return send("DELETE", path, null);
    }

    public HttpResponse<String> post(String path, String json) {
        return send("POST", path, null, json);
    }

    public HttpResponse<String> send(String method, String path, String user) {
        return send(method, path, user, "");
    }

    /**
     * Sends a request over a connection of its own. Reactor Netty 1.3.6 may stop reading from a connection that is used again, so that the
     * server never answers (reactor-netty issue 4361).
     */
    public HttpResponse<String> send(String method, String path, String user, String json) {
        String port = context.getEnvironment().getRequiredProperty("local.server.port");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
                .timeout(Duration.ofSeconds(30))
                .method(method, HttpRequest.BodyPublishers.ofString(json));
        if (!json.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        if (user != null) {
            request.header(
                    "Authorization",
                    "Basic " + Base64.getEncoder().encodeToString((user + ":secret").getBytes(StandardCharsets.UTF_8)));
        }
        try {
            return HttpClient.newHttpClient().send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        if (context != null) {
            context.close();
        }
        others.forEach(ElectionEngine::close);
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(
            exclude = DataRedisAutoConfiguration.class,
            excludeName = {
                "org.springframework.boot.data.redis.autoconfigure.DataRedisReactiveAutoConfiguration",
                "org.springframework.boot.data.redis.autoconfigure.DataRedisRepositoriesAutoConfiguration"
            })
    static class Application {}
}
