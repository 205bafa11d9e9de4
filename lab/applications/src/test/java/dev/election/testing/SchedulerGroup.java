package dev.election.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.NodeInfo;
import dev.election.harness.RedisBinary;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Three scheduler processes at a Redis of their own, the file in which they write, and who of them leads. */
public final class SchedulerGroup implements AutoCloseable {

    private final RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);
    private final Path history;
    private final Class<?> application;
    private final List<List<String>> arguments;
    private final Map<String, SchedulerProcess> nodes = new HashMap<>();
    private int started;

    /**
     * Starts them.
     *
     * @param folder where they write
     * @param application their main class
     * @param arguments what to tell each of them
     */
    public SchedulerGroup(Path folder, Class<?> application, List<List<String>> arguments) throws IOException {
        this.history = Files.createFile(folder.resolve("history"));
        this.application = application;
        this.arguments = arguments;
        arguments.forEach(this::start);
    }

    /** Waits until so many slots more have been fired, and returns who leads then. */
    public Leader awaitSlots(int number) {
        int before = runs().size();
        return await("slots in " + history)
                .until(() -> runs().size() < before + number ? Optional.<Leader>empty() : leader(), Optional::isPresent)
                .orElseThrow();
    }

    /** Waits until the only process of the group has fired a slot, whatever has become of it since. */
    public Leader awaitFirst() {
        Run first = await("a slot in " + history)
                .until(this::runs, runs -> !runs.isEmpty())
                .get(0);
        String node = nodes.keySet().iterator().next();
        return new Leader(node, first.token, nodes.get(node));
    }

    /** Waits until another leader has fired so many slots. */
    public Leader awaitLeaderAfter(Leader earlier, int slots) {
        await("a leader after " + earlier)
                .until(() -> leader().filter(next -> next.token > earlier.token).isPresent());
        return awaitSlots(slots);
    }

    /** In the place of one that has ended, with the same clock. */
    public void replace(Leader ended) throws InterruptedException {
        ended.process.awaitEnd();
        nodes.remove(ended.node);
        start(arguments.get(number(ended.node) % arguments.size()));
    }

    /** Waits until that leader has ended by itself, and another has fired so many slots. */
    public Leader awaitSuccessorOfDead(Leader dead, int slots) throws InterruptedException {
        dead.process.awaitEnd();
        nodes.remove(dead.node);
        return awaitLeaderAfter(dead, slots);
    }

    /** What has been written down. */
    public List<Run> runs() {
        try {
            return Files.readAllLines(history).stream().map(Run::parse).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What leaders have recorded under that name for their successors. */
    public Optional<String> recorded(String entry) {
        return Optional.ofNullable(redis.call(commands -> commands.hget("election:{default}:log", entry)));
    }

    /** The Redis dies and comes back with nothing. */
    public void emptyStore() throws IOException {
        redis.kill();
        Files.deleteIfExists(redis.folder().resolve("dump.rdb"));
        redis.restart();
    }

    /** What the Redis has at this moment is what it comes back with after {@link #restoreStore}. */
    public void saveStore() {
        redis.call(commands -> commands.save());
    }

    /** The Redis dies and comes back with what it has saved. */
    public void restoreStore() {
        redis.kill();
        redis.restart();
    }

    /** From the first slot that was fired to the last each was fired once, and never by a leader after its successor. */
    public void assertThatEachSlotWasFiredOnce() {
        assertThatEachSlotWasFiredOnceBut(Set.of());
    }

    /** The same, but some may have been fired not at all. */
    public void assertThatEachSlotWasFiredOnceBut(Set<Long> excused) {
        List<Run> runs = runs();
        List<Long> slots = runs.stream().map(Run::slot).sorted().toList();
        List<Long> expected = new ArrayList<>();
        for (long slot = slots.get(0); slot <= slots.get(slots.size() - 1); slot += 1000) {
            if (!excused.contains(slot) || slots.contains(slot)) {
                expected.add(slot);
            }
        }
        assertThat(slots).as("slots of %s", runs).isEqualTo(expected);
        assertThat(runs).extracting(Run::token).as("tokens of %s", runs).isSorted();
    }

    /** The slots between the first that was fired and the last that were not. */
    public List<Long> missing() {
        List<Long> slots = runs().stream().map(Run::slot).sorted().toList();
        List<Long> missing = new ArrayList<>();
        for (long slot = slots.get(0); slot < slots.get(slots.size() - 1); slot += 1000) {
            if (!slots.contains(slot)) {
                missing.add(slot);
            }
        }
        return missing;
    }

    /** What the processes have logged, line by line. */
    public List<String> log() {
        try (DirectoryStream<Path> logs = Files.newDirectoryStream(history.getParent(), "*.log")) {
            List<String> lines = new ArrayList<>();
            for (Path log : logs) {
                lines.addAll(Files.readAllLines(log));
            }
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** What that one has logged, line by line. */
    public List<String> log(Leader leader) {
        try {
            return Files.readAllLines(history.resolveSibling(leader.node + ".log"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The slots that leader says it has claimed, in the order of its claims. */
    public List<Long> claimed(Leader leader) {
        return log(leader).stream()
                .filter(line -> line.contains(" claims its slot "))
                .map(line ->
                        Instant.parse(line.substring(line.lastIndexOf(' ') + 1)).toEpochMilli())
                .toList();
    }

    /** Asks all to end, and waits for it. */
    public void stop() throws InterruptedException {
        nodes.values().forEach(SchedulerProcess::terminate);
        for (SchedulerProcess node : nodes.values()) {
            node.awaitEnd();
        }
    }

    @Override
    public void close() {
        nodes.values().forEach(SchedulerProcess::close);
        redis.close();
    }

    /** Starts one more, and returns its id. */
    public String start(List<String> own) {
        String node = "n" + started;
        started++;
        nodes.put(node, SchedulerProcess.start(redis.port(), node, history, application, own));
        return node;
    }

    /** The process of that node, which it no longer counts among its own. */
    public SchedulerProcess remove(String node) {
        return nodes.remove(node);
    }

    /** What those have logged that have ended by themselves. */
    public List<String> dead() {
        return nodes.entrySet().stream()
                .filter(node -> !node.getValue().isAlive())
                .flatMap(node -> log(new Leader(node.getKey(), 0, node.getValue())).stream())
                .toList();
    }

    /** Waits until all have started or ended. */
    public void awaitStarted() {
        nodes.values().forEach(SchedulerProcess::awaitStarted);
    }

    private static int number(String node) {
        return Integer.parseInt(node.substring(1));
    }

    /** Who leads, and is a process of this group. */
    public Optional<Leader> leader() {
        Map<String, String> lease = redis.call(commands -> commands.hgetall("election:{default}:lease"));
        if (lease.isEmpty()) {
            return Optional.empty();
        }
        String node = NodeInfo.parse(lease.get("node")).id();
        return Optional.ofNullable(nodes.get(node))
                .map(process -> new Leader(node, Long.parseLong(lease.get("token")), process));
    }

    /** On a machine that is busy a start takes longer than all that is waited for here. */
    private ConditionFactory await(String what) {
        awaitStarted();
        return Awaitility.await(what).atMost(Duration.ofSeconds(40)).pollInterval(Duration.ofMillis(20));
    }

    /**
     * @param node its id
     * @param token of its leadership
     * @param process which it is
     */
    public record Leader(String node, long token, SchedulerProcess process) {}

    /**
     * @param slot for when it was scheduled
     * @param token under which it ran
     * @param line all that was written
     */
    public record Run(long slot, long token, String line) {

        private static Run parse(String line) {
            String[] part = line.split(" ");
            return new Run(Long.parseLong(part[0]), Long.parseLong(part[1]), line);
        }

        @Override
        public String toString() {
            return line;
        }
    }
}
