package dev.election.playground;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.Executors;

/** The page, its state and its actions, on this machine only. */
final class PlaygroundServer implements AutoCloseable {

    private static final Map<String, String> FILES = Map.of(
            "/", "text/html; charset=utf-8",
            "/playground.css", "text/css; charset=utf-8",
            "/playground.js", "text/javascript; charset=utf-8");

    private static final String STATE = "/state";
    private static final String ACTIONS = "/actions/";

    private final HttpServer server;
    private final Gate gate;
    private final Machine machine;
    private final Observer observer;

    private PlaygroundServer(HttpServer server, Machine machine) {
        this.server = server;
        this.gate = Gate.at(server.getAddress().getPort());
        this.machine = machine;
        this.observer = new Observer(machine);
    }

    /** Listens at the first free port from that one on. */
    static PlaygroundServer start(Machine machine, int firstPort) throws IOException {
        PlaygroundServer started = new PlaygroundServer(bind(firstPort), machine);
        started.server.setExecutor(Executors.newCachedThreadPool());
        started.server.createContext("/", started::handle);
        started.server.start();
        return started;
    }

    /** The address of the page, with the token where no server sees it. */
    String address() {
        return "http://localhost:" + server.getAddress().getPort() + "/#" + gate.token();
    }

    @Override
    public void close() {
        server.stop(0);
    }

    private static HttpServer bind(int firstPort) throws IOException {
        for (int port = firstPort; ; port++) {
            try {
                return HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
            } catch (BindException taken) {
                // The next one may be free.
            }
        }
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            String path = exchange.getRequestURI().getPath();
            String request = exchange.getRequestMethod() + " " + path;
            if (request.startsWith("POST " + ACTIONS)) {
                act(exchange, path.substring(ACTIONS.length()));
            } else if (request.equals("GET " + STATE)) {
                tell(exchange);
            } else if (request.startsWith("GET ") && FILES.containsKey(path)) {
                show(exchange, path);
            } else {
                answer(exchange, 404, "text/plain", "Not found");
            }
        }
    }

    private void act(HttpExchange exchange, String action) throws IOException {
        if (!gate.mayAct(exchange.getRequestHeaders())) {
            refuse(exchange);
            return;
        }
        try {
            String[] words = action.split("/", -1);
            if (words.length != 2) {
                throw new IllegalArgumentException("No action " + action);
            }
            machine.perform(words[0], words[1]);
            answer(exchange, 200, "text/plain", "Done");
        } catch (IllegalArgumentException unknown) {
            answer(exchange, 404, "text/plain", String.valueOf(unknown.getMessage()));
        } catch (IllegalStateException | IOException notNow) {
            answer(exchange, 409, "text/plain", String.valueOf(notNow.getMessage()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(HttpExchange exchange) throws IOException {
        if (gate.mayRead(exchange.getRequestHeaders())) {
            answer(exchange, 200, "application/json", observer.stateAsJson());
        } else {
            refuse(exchange);
        }
    }

    private void show(HttpExchange exchange, String path) throws IOException {
        if (!gate.isOurHost(exchange.getRequestHeaders())) {
            refuse(exchange);
            return;
        }
        String file = path.equals("/") ? "/index.html" : path;
        try (InputStream content = PlaygroundServer.class.getResourceAsStream("/playground" + file)) {
            if (content == null) {
                throw new IOException("No file " + file);
            }
            answer(
                    exchange,
                    200,
                    FILES.getOrDefault(path, ""),
                    new String(content.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    private static void refuse(HttpExchange exchange) throws IOException {
        answer(exchange, 403, "text/plain", "Open the address that the playground has printed");
    }

    private static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.getResponseHeaders().set("Cache-Control", "no-store");
        exchange.getResponseHeaders()
                .set("Content-Security-Policy", "default-src 'self'; img-src data:; frame-ancestors 'none'");
        exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
