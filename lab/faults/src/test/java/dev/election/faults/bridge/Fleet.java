package dev.election.faults.bridge;

import dev.election.faults.history.Entry;
import dev.election.faults.history.HistoryFile;
import dev.election.faults.world.Standalone;
import dev.election.harness.Children;
import dev.election.harness.RedisProcess;
import dev.election.harness.RedisTalk;
import dev.election.harness.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Old and new nodes over a Redis of their own, and all that is recorded of them. */
final class Fleet implements AutoCloseable {

    private static final String MARK = "election:";
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final Path folder;
    private final Pace pace;
    private final Children children = new Children();
    private final RedisProcess redis;
    private final HistoryFile history;
    private final Thread keyWatch;
    private final List<NodeProcess> nodes = new ArrayList<>();
    private int takeOvers;
    private final List<String> deleted = new ArrayList<>();
    private int started;

    Fleet(Path folder, Pace pace) throws IOException, InterruptedException {
        this.folder = Files.createDirectories(folder);
        this.pace = pace;
        this.redis = new Standalone(children, folder, 0).primary();
        this.history = new HistoryFile(folder.resolve("fleet.history"));
        this.keyWatch = new Thread(this::watchKey, "key-watch");
        keyWatch.setDaemon(true);
        keyWatch.start();
    }

    /** A node of the replaced system. */
    NodeProcess startOld() throws IOException {
        return start("old", "free");
    }

    /** One that stays inside the lock when it first finds no master, until it is told to resume. */
    NodeProcess startHeld() throws IOException {
        return start("old", "held");
    }

    NodeProcess startNew() throws IOException {
        return start("new", "bridged");
    }

    NodeProcess startWithoutBridge() throws IOException {
        return start("new", "alone");
    }

    Pace pace() {
        return pace;
    }

    /** Those that run, in the order of their start. */
    List<NodeProcess> running(boolean old) {
        return nodes.stream()
                .filter(node -> node.isOld() == old && !node.isDoomed())
                .toList();
    }

    Optional<NodeProcess> master() {
        return nodes.stream().filter(NodeProcess::isMaster).findFirst();
    }

    /** How many times a dead master was replaced on request. */
    int takeOvers() {
        return takeOvers;
    }

    /** What the key held when it had to be deleted by hand, because a dead node was master and nobody with a bridge was left. */
    List<String> deleted() {
        return List.copyOf(deleted);
    }

    void awaitRenewal() throws IOException, InterruptedException {
        Wait.until("a renewal of the key in " + folder, longest(), renewal());
    }

    /** That the life of the key has been extended since now. */
    Wait.Condition renewal() throws IOException {
        long[] left = {keyLivesFor()};
        return () -> {
            long before = left[0];
            left[0] = keyLivesFor();
            return left[0] > before;
        };
    }

    void stop(NodeProcess node) throws IOException, InterruptedException {
        node.stop();
        history.append(new Entry.Ended(node.id(), System.nanoTime()));
    }

    void kill(NodeProcess node) throws InterruptedException {
        node.kill();
        history.append(new Entry.Ended(node.id(), System.nanoTime()));
    }

    /** Stops the process until that is so. */
    void pauseUntil(NodeProcess node, String what, Wait.Condition condition) throws IOException, InterruptedException {
        long from = System.nanoTime();
        node.signal("STOP");
        try {
            Wait.until(what, PATIENCE, condition);
        } finally {
            node.signal("CONT");
            history.append(new Entry.Stalled(node.id(), from, System.nanoTime()));
        }
    }

    /**
     * Waits until somebody is master. Where a dead old node is, which the old ones keep, the new ones must say so, and one of them is
     * told to take over. Where there are no new ones nothing can be done before one comes.
     */
    void settle() throws IOException, InterruptedException {
        boolean[] kept = new boolean[1];
        Wait.until("a master in " + folder, longest(), () -> {
            kept[0] = isKept(key());
            return kept[0] || master().isPresent();
        });
        if (kept[0] && !running(false).isEmpty()) {
            takeOver(key());
        }
    }

    /**
     * The same for the last time: what no node can do is done by hand, as it always had to be in the replaced system, once an old node has
     * extended the life of a dead master.
     */
    void settleByHand() throws IOException, InterruptedException {
        settle();
        Wait.Condition renewal = renewal();
        Wait.until(
                "a master, or a renewal of a dead one, in " + folder,
                longest(),
                () -> master().isPresent() || renewal.holds());
        String value = key();
        if (master().isEmpty() && isKept(value)) {
            deleted.add(value);
            redis.ask("DEL", ReplacedElection.KEY);
            awaitMaster(true);
        }
    }

    /** Waits until a node of that kind is master. */
    NodeProcess awaitMaster(boolean old) throws InterruptedException {
        Wait.until(
                "a master among the " + (old ? "old" : "new") + " nodes in " + folder,
                longest(),
                () -> master().filter(node -> node.isOld() == old).isPresent());
        return master().orElseThrow();
    }

    /** Every new node reports that it waits for that dead master, and one of them takes over. */
    void takeOver(String deadMaster) throws IOException, InterruptedException {
        List<NodeProcess> candidates = running(false);
        for (NodeProcess candidate : candidates) {
            candidate.awaitJoined();
            Wait.until(
                    candidate.id() + " to wait for " + deadMaster,
                    PATIENCE,
                    () -> candidate.answers("status", "status OLD_MASTER " + deadMaster));
        }
        NodeProcess one = candidates.get(0);
        one.tell("takeover another", "takeover OtherMaster");
        one.tell("takeover " + deadMaster, "takeover TakenOver");
        takeOvers++;
        awaitMaster(false);
    }

    /** Ends all, and judges what was recorded. */
    Verdict verdict() throws IOException, InterruptedException {
        for (NodeProcess node : nodes) {
            if (!node.isDoomed()) {
                kill(node);
            }
        }
        keyWatch.interrupt();
        keyWatch.join();
        history.append(new Entry.Over(System.nanoTime()));
        history.close();
        return Verdict.of(pace, Records.read(folder));
    }

    @Override
    public void close() throws InterruptedException {
        children.close();
    }

    private String key() throws IOException {
        return redis.text("GET", ReplacedElection.KEY);
    }

    private long keyLivesFor() throws IOException {
        return (Long) redis.ask("PTTL", ReplacedElection.KEY);
    }

    /** Whether that is a dead node that old ones keep as master, and no new one takes over by itself. */
    private boolean isKept(String value) {
        boolean isMark = value.startsWith(MARK);
        String id = isMark ? value.substring(MARK.length()) : value;
        boolean isDead = nodes.stream().anyMatch(node -> node.id().equals(id) && node.isDoomed());
        return isDead && !running(true).isEmpty() && !(isMark && !running(false).isEmpty());
    }

    /** For waiting, not for judging. */
    private Duration longest() {
        return pace.longestGap().multipliedBy(2).plus(PATIENCE);
    }

    private NodeProcess start(String kind, String mode) throws IOException {
        String id = kind + ++started;
        List<String> arguments = Stream.of(
                        Stream.of(
                                id,
                                Integer.toString(redis.port()),
                                folder.resolve(id + ".history").toString()),
                        pace.words().stream(),
                        Stream.of(mode))
                .flatMap(words -> words)
                .toList();
        NodeProcess node = new NodeProcess(id, kind.equals("old"), children, folder.resolve(id + ".log"), arguments);
        nodes.add(node);
        return node;
    }

    private void watchKey() {
        try (RedisTalk talk = new RedisTalk(redis.port(), PATIENCE)) {
            while (!Thread.currentThread().isInterrupted()) {
                String value = talk.ask("GET", ReplacedElection.KEY).toString();
                history.append(new Entry.KeySeen(value, System.nanoTime()));
                TimeUnit.MILLISECONDS.sleep(20);
            }
        } catch (InterruptedException over) {
            Thread.currentThread().interrupt();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
