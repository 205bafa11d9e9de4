package dev.election.routing.internal.forward;

import io.netty.channel.ChannelOption;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.timeout.WriteTimeoutHandler;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.resources.LoopResources;
import reactor.netty.tcp.SslProvider;

/** The connections over which requests are sent to leaders. Nothing is sent twice over them. */
public final class LeaderConnections implements AutoCloseable {

    /**
     * Servers close connections that were idle for some time (Tomcat after 20 s). A request that is sent just then is lost, so a connection is
     * not used for that long.
     */
    private static final Duration LONGEST_IDLE = Duration.ofSeconds(5);

    private final ConnectionProvider connections;
    private final LoopResources threads;
    private final HttpClient client;

    /**
     * @param connectTimeout how long to wait for a connection
     * @param silence how long a leader may send nothing, or accept nothing of a request
     * @param most how many connections there are at a time
     * @param tls sets keys and trusted certificates, {@code null} for those of the JDK
     */
    public LeaderConnections(
            Duration connectTimeout, Duration silence, int most, @Nullable Consumer<SslContextBuilder> tls) {
        this.connections = ConnectionProvider.builder("election-routing")
                .maxConnections(most)
                .pendingAcquireMaxCount(most)
                .pendingAcquireTimeout(connectTimeout)
                .maxIdleTime(LONGEST_IDLE)
                .lifo()
                .build();
        this.threads = LoopResources.create("election-routing");
        HttpClient plain = HttpClient.create(connections)
                .runOn(threads)
                .disableRetry(true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, Math.toIntExact(connectTimeout.toMillis()))
                .responseTimeout(silence)
                .doOnConnected(connection -> connection
                        .addHandlerLast(new WriteTimeoutHandler(silence.toMillis(), TimeUnit.MILLISECONDS))
                        .addHandlerLast(new InterimResponses()));
        // The certificates of the JDK are read when they are needed first.
        this.client = tls == null ? plain : secure(plain, tls);
    }

    private static HttpClient secure(HttpClient plain, Consumer<SslContextBuilder> tls) {
        SslProvider.GenericSslContextSpec<?> spec =
                Http11SslContextSpec.forClient().configure(tls);
        return plain.secure(ssl -> ssl.sslContext(spec));
    }

    HttpClient client() {
        return client;
    }

    @Override
    public void close() {
        connections.dispose();
        threads.dispose();
    }
}
