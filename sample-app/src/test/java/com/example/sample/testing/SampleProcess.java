package com.example.sample.testing;

import com.example.sample.SampleApplication;
import dev.election.harness.Children;
import dev.election.harness.ClassArchive;
import dev.election.harness.JvmProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/** A replica of the sample in a JVM of its own. */
public final class SampleProcess implements AutoCloseable {

    /** Generous: others may use the machine as well. */
    private static final Duration START = Duration.ofSeconds(60);

    private static final HttpClient HTTP = HttpClient.newHttpClient();

    static final String LEADS = "This node became the leader of 'default'";
    private static final String FOLLOWS = " in the election 'default', token";

    private static final ClassArchive CLASSES = new ClassArchive(
            "replicas",
            LEADS,
            (options, redisPort, folder) -> JvmProcess.command(
                    options, SampleApplication.class.getName(), List.of("--spring.data.redis.port=" + redisPort)));

    /** In the build of each change three replicas start: without an archive that takes less than with its training. */
    private static final boolean IS_ARCHIVED = Boolean.getBoolean("sample.archive");

    private final JvmProcess process;
    private final Console console;
    private final long startedAt = System.nanoTime();

    private SampleProcess(JvmProcess process) {
        this.process = process;
        this.console = new Console("replica " + process.pid());
        process.listen(console::add, console::end);
    }

    /** Starts one on that Redis port and returns at once. Properties are given as {@code name=value}. */
    public static SampleProcess start(int redisPort, String... properties) {
        return start(List.of(), SampleApplication.class, redisPort, properties);
    }

    /** Starts one with further options of the JVM and that main class. */
    static SampleProcess start(List<String> options, Class<?> main, int redisPort, String... properties) {
        List<String> arguments = Stream.concat(
                        Stream.of("spring.data.redis.port=" + redisPort), Arrays.stream(properties))
                .map(property -> "--" + property)
                .toList();
        return run(command(options, main, arguments));
    }

    /** What runs that class on the class path of this process. */
    static List<String> command(List<String> options, Class<?> main, List<String> arguments) {
        List<String> all = new ArrayList<>(JvmProcess.QUICK_START);
        all.add("-Xmx128m");
        all.add("-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"));
        all.addAll(options);
        return JvmProcess.command(IS_ARCHIVED ? CLASSES.with(all) : all, main.getName(), arguments);
    }

    /** Starts a process by that command. */
    static SampleProcess run(List<String> command) {
        // A session of its own, as in a terminal of its own: so that Ctrl+C can be tried on it alone.
        return new SampleProcess(new JvmProcess(
                "a replica",
                Children.OF_THIS_JVM,
                new ProcessBuilder(OwnSession.of(command)).redirectErrorStream(true)));
    }

    public Console console() {
        return console;
    }

    /** What an operator gets who asks this replica's actuator. */
    public HttpResponse<String> operate(String method, String path) {
        String port = console.await("Tomcat started on port ", START).text().replaceAll(".*on port (\\d+) .*", "$1");
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/actuator/" + path))
                .timeout(START)
                .method(method, HttpRequest.BodyPublishers.noBody())
                .build();
        try {
            return HTTP.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    public long pid() {
        return process.pid();
    }

    public long startedAt() {
        return startedAt;
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    boolean hasStartedRedis() {
        return !console.all("Redis: an embedded one").isEmpty();
    }

    public SampleProcess awaitStarted() {
        console.await("Started SampleApplication", START);
        return this;
    }

    /** The line that says for the first time that this replica leads, within this time from the start of its process. */
    public Console.Line awaitLeadership(Duration fromStart) {
        return console.await(LEADS, fromStart.minusNanos(System.nanoTime() - startedAt));
    }

    /** The line that says that this replica leads, within this time from now. */
    public Console.Line awaitLeadershipFromNow(Duration within) {
        return console.await(LEADS, within);
    }

    /** Waits until this replica knows who leads, and says whether it is itself. */
    public boolean awaitResult() {
        return console.awaitEither(LEADS, FOLLOWS, START).text().contains(LEADS);
    }

    /** Waits until this replica knows that it has started and another leads. */
    public Console.Line awaitFollowing() {
        return console.await(FOLLOWS, START);
    }

    /** {@code kill -9}; returns the time just before. */
    public long kill() {
        long moment = System.nanoTime();
        process.kill();
        return moment;
    }

    /** Asks it to end, as an orchestrator does; returns the time just before. */
    public long terminate() {
        long moment = System.nanoTime();
        process.signal("TERM");
        return moment;
    }

    /**
     * As Ctrl+C in its terminal, which every process in the terminal's foreground hears; returns the time just before. Not with
     * the same signal: processes of a build that runs in the background are made to ignore that.
     */
    public long terminateForeground() {
        long moment = System.nanoTime();
        Children.signal(-pid(), "TERM");
        return moment;
    }

    /** Stops it in mid-step, as a long garbage collection or a machine out of memory does; returns the time just before. */
    public long freeze() {
        long moment = System.nanoTime();
        process.signal("STOP");
        return moment;
    }

    /** Lets it go on after {@link #freeze()}; returns the time just before. */
    public long thaw() {
        long moment = System.nanoTime();
        process.signal("CONT");
        return moment;
    }

    public boolean awaitEnd(Duration within) {
        return process.endsWithin(within);
    }

    /** Ends it in whatever state it is. */
    @Override
    public void close() {
        kill();
    }

    @Override
    public String toString() {
        return console.toString();
    }
}
