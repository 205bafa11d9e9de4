package dev.election.faults.world;

import dev.election.faults.node.StoreAddress;
import dev.election.faults.redis.RedisTalk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import redis.embedded.RedisExecProvider;

/** A Redis server or Sentinel on loopback that may be treated badly. */
public final class RedisServer {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final Children children;
    private final Path folder;
    private final int port;
    private final List<String> files;
    private final List<String> options;
    private final @Nullable OwnClock clock;
    private Process process;

    RedisServer(Children children, Path folder, List<String> options) throws IOException, InterruptedException {
        this(children, folder, Ports.free(), List.of(), options, null);
    }

    private RedisServer(
            Children children,
            Path folder,
            int port,
            List<String> files,
            List<String> options,
            @Nullable OwnClock clock)
            throws IOException, InterruptedException {
        this.children = children;
        this.folder = Files.createDirectories(folder.resolve("redis-" + port));
        this.port = port;
        this.files = List.copyOf(files);
        this.options = List.copyOf(options);
        this.clock = clock;
        this.process = launch(List.of());
    }

    /**
     * @param announced the port by which other Sentinels know it
     * @param downAfter how long a server may be silent before it counts as gone
     */
    static RedisServer sentinel(
            Children children,
            Path folder,
            int port,
            int announced,
            int primaryPort,
            Duration downAfter,
            List<String> options)
            throws IOException, InterruptedException {
        Path file = Files.createDirectories(folder).resolve("sentinel-" + port + ".conf");
        Files.writeString(
                file,
                """
                sentinel monitor %1$s 127.0.0.1 %2$d 2
                sentinel down-after-milliseconds %1$s %3$d
                sentinel failover-timeout %1$s %4$d
                sentinel announce-ip 127.0.0.1
                sentinel announce-port %5$d
                """
                        .formatted(
                                StoreAddress.PRIMARY,
                                primaryPort,
                                downAfter.toMillis(),
                                downAfter.multipliedBy(3).toMillis(),
                                announced));
        List<String> all = new ArrayList<>(List.of("--sentinel"));
        all.addAll(options);
        return new RedisServer(children, folder, port, List.of(file.toString()), all, null);
    }

    static RedisServer withOwnClock(Children children, Path folder, List<String> options)
            throws IOException, InterruptedException {
        int port = Ports.free();
        return new RedisServer(
                children, folder, port, List.of(), options, new OwnClock(folder.resolve("clock-" + port)));
    }

    /** How much its clock is off. */
    public Duration clockShift() {
        return ownClock().shift();
    }

    /** Changes how much its clock is off, and waits until it counts by it: it looks at the clock only ten times a second. */
    public void shiftClock(Duration shift) throws IOException, InterruptedException {
        ownClock().shift(shift);
        Wait.until("the clock of the server at port " + port, PATIENCE, () -> {
            String counted = text("INFO", "server").replaceAll("(?s).*server_time_usec:(\\d+).*", "$1");
            long expected = System.currentTimeMillis() + shift.toMillis();
            return Math.abs(Long.parseLong(counted) / 1000 - expected) < 1000;
        });
    }

    private OwnClock ownClock() {
        if (clock == null) {
            throw new IllegalStateException("This server has the clock of the machine");
        }
        return clock;
    }

    public int port() {
        return port;
    }

    /** Asks over a connection of its own. */
    public Object ask(String... command) throws IOException {
        try (RedisTalk talk = new RedisTalk(port, Duration.ofSeconds(2))) {
            return talk.ask(command);
        }
    }

    public String text(String... command) throws IOException {
        return ask(command).toString();
    }

    /** Sends a command that may not be answered for a while. */
    public void tell(String... command) throws IOException {
        try (RedisTalk talk = new RedisTalk(port, Duration.ofSeconds(2))) {
            talk.send(command);
        }
    }

    public void kill() throws InterruptedException {
        children.kill(process);
    }

    /** Writes what it holds to its disk, and waits until that is done. */
    public void saveSnapshot() throws IOException, InterruptedException {
        ask("BGSAVE");
        Wait.until("a snapshot", PATIENCE, () -> {
            String state = text("INFO", "persistence");
            return state.contains("rdb_bgsave_in_progress:0") && state.contains("rdb_last_bgsave_status:ok");
        });
    }

    /** Deletes what it had written, after a {@link #kill()}. */
    public void forgetAll() throws IOException {
        try (var files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                boolean isData = file.getFileName().toString().startsWith("appendonly")
                        || file.getFileName().toString().endsWith(".rdb");
                if (isData && !file.equals(folder)) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Starts again after a {@link #kill()}, with what is on its disk, and waits until it answers. */
    public void restart(String... more) throws IOException, InterruptedException {
        process = launch(List.of(more));
    }

    public void freeze() throws IOException, InterruptedException {
        Children.signal(process, "STOP");
    }

    public void thaw() throws IOException, InterruptedException {
        Children.signal(process, "CONT");
    }

    private Process launch(List<String> more) throws IOException, InterruptedException {
        Path binary = clock == null ? Binary.PATH : clock.redis();
        List<String> command = new ArrayList<>(List.of(binary.toString()));
        command.addAll(files);
        command.addAll(List.of("--port", Integer.toString(port), "--bind", "127.0.0.1", "--dir", folder.toString()));
        command.addAll(options);
        command.addAll(more);
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(
                        ProcessBuilder.Redirect.appendTo(folder.resolve("log").toFile()));
        if (clock != null) {
            builder.environment().putAll(clock.environment());
        }
        Process launched = children.launch(builder);
        Wait.until("Redis at port " + port, PATIENCE, () -> ask("PING").equals("PONG"));
        return launched;
    }

    /** Unpacked once a run from the library that carries it. */
    private static final class Binary {

        static final Path PATH = unpack();

        private static Path unpack() {
            try {
                return RedisExecProvider.defaultProvider().get().toPath();
            } catch (IOException e) {
                throw new IllegalStateException("The library has no Redis for this machine", e);
            }
        }
    }
}
