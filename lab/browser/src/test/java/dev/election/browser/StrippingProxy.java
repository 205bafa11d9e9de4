package dev.election.browser;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Passes on what begins with a prefix, without the prefix and without a word of it in a header. */
final class StrippingProxy implements AutoCloseable {

    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final String prefix;
    private final int target;
    private final HttpServer server;

    StrippingProxy(String prefix, int target) {
        this.prefix = prefix;
        this.target = target;
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        server.createContext(prefix + "/", this::pass);
        server.setExecutor(threads);
        server.start();
    }

    int port() {
        return server.getAddress().getPort();
    }

    private void pass(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().toString().substring(prefix.length());
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + target + path))
                .method(exchange.getRequestMethod(), HttpRequest.BodyPublishers.noBody())
                .build();
        try (exchange) {
            HttpResponse<byte[]> answer = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            answer.headers().firstValue("Content-Type").ifPresent(type -> exchange.getResponseHeaders()
                    .set("Content-Type", type));
            exchange.sendResponseHeaders(answer.statusCode(), answer.body().length == 0 ? -1 : answer.body().length);
            exchange.getResponseBody().write(answer.body());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
