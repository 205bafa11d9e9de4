package dev.election.zookeeper;

import dev.election.harness.Children;
import dev.election.harness.TemporaryFolders;
import dev.election.harness.ZooKeeperServer;
import dev.election.zookeeper.internal.ZooKeeperRecordStore;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.ZooKeeper;

/** Stores on servers for tests, and a client of an administrator. */
final class TestEnsemble {

    /** An answer is waited for a third of it. */
    static final Duration LEASE = Duration.ofSeconds(15);

    private TestEnsemble() {}

    /** Starts a server whose sessions end sooner than the client asks for. */
    static ZooKeeperServer server(String... settings) {
        List<String> all = new ArrayList<>(List.of("maxSessionTimeout=4000"));
        all.addAll(List.of(settings));
        ZooKeeperServer server = new ZooKeeperServer(
                Children.OF_THIS_JVM, TemporaryFolders.create("election-zookeeper"), all.toArray(String[]::new));
        server.start();
        return server;
    }

    static ZooKeeperRecordStore records(String connect) {
        return new ZooKeeperRecordStore(access(connect), ZooKeeperSettings.DEFAULT, LEASE);
    }

    static ZooKeeperAccess access(String connect) {
        return new ZooKeeperAccess(connect, null, null, Map.of());
    }

    static <T> T ask(CompletionStage<T> answer) {
        return answer.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    /** Returns a client that does what an administrator would do. */
    static ZooKeeper administrator(String connect) throws Exception {
        ZooKeeper client = new ZooKeeper(connect, 10_000, (WatchedEvent event) -> {});
        client.addAuthInfo("digest", bytes("admin:secret"));
        client.exists("/", false);
        return client;
    }

    static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
