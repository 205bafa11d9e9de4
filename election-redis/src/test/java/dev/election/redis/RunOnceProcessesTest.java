package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.Children;
import dev.election.harness.JvmProcess;
import dev.election.harness.RedisBinary;
import dev.election.jobs.OnceRunner;
import dev.election.redis.client.RedisAccess;
import dev.election.store.ForwardingLeaseStore;
import dev.election.store.LedgerStore;
import dev.election.testing.KillsProcesses;
import dev.election.testing.RedisServer;
import io.lettuce.core.RedisURI;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionStage;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Ten processes and one task. Whoever runs it is killed, paused and ended, once at each step. */
@KillsProcesses
class RunOnceProcessesTest {

    private static final Duration LEASE = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofSeconds(120);

    /** Before the claim, in the work, and between work and done: in this order, since the next runner begins anew. */
    private static final List<String> STEPS = List.of(
            "kill-before",
            "stop-before",
            "term-before",
            "kill-within",
            "stop-within",
            "term-within",
            "kill-after",
            "stop-after",
            "term-after");

    @Test
    void the_task_is_done_once_whoever_dies_or_is_paused_at_whatever_step(@TempDir Path folder) throws Exception {
        try (RedisServer redis = RedisServer.start(RedisBinary.REDIS_7_0);
                Children children = new Children()) {
            Map<String, JvmProcess> processes = new HashMap<>();
            for (int i = 0; i < 10; i++) {
                String node = "node-" + i;
                List<String> arguments = List.of(Integer.toString(redis.port()), node, folder.toString());
                processes.put(
                        node,
                        new JvmProcess(
                                node,
                                children,
                                JvmProcess.builder(JvmProcess.small(48), Main.class, arguments)
                                        .redirectErrorStream(true)
                                        .redirectOutput(
                                                folder.resolve(node + ".log").toFile())));
            }
            Set<String> ended = new HashSet<>();
            for (String step : STEPS) {
                Awaitility.await(step).atMost(LONGEST).until(() -> Files.exists(folder.resolve(step)));
                String node = awaitText(folder.resolve(step));
                if (step.startsWith("kill")) {
                    processes.get(node).kill();
                } else {
                    processes.get(node).signal(step.startsWith("stop") ? "STOP" : "TERM");
                }
                if (!step.startsWith("stop")) {
                    ended.add(node);
                }
                Files.createFile(folder.resolve(step + ".reached"));
            }
            Awaitility.await("the first that passes").atMost(LONGEST).until(() -> passed(folder) > 0);
            for (JvmProcess process : processes.values()) {
                process.signal("CONT");
            }
            for (Map.Entry<String, JvmProcess> each : processes.entrySet()) {
                if (!ended.contains(each.getKey())) {
                    assertThat(each.getValue().awaitEnd(LONGEST))
                            .as(each.getKey())
                            .isZero();
                }
            }
            check(Files.readAllLines(folder.resolve("history")), ended);
            String state = redis.call(commands -> commands.hget("once:{once.task}:log-state", "text"));
            assertThat(state).startsWith("done=");
        }
    }

    private static long passed(Path folder) throws IOException {
        return Files.readAllLines(folder.resolve("history")).stream()
                .filter(line -> line.startsWith("passed"))
                .count();
    }

    /** The file is there a moment before its text. */
    private static String awaitText(Path file) {
        return Awaitility.await().until(() -> Files.readString(file), text -> !text.isEmpty());
    }

    private static void check(List<String> history, Set<String> ended) {
        String all = String.join("\n", history);
        int passed = history.indexOf(history.stream()
                .filter(line -> line.startsWith("passed"))
                .findFirst()
                .orElseThrow());
        assertThat(history.subList(0, passed)).as(all).anyMatch(line -> line.startsWith("end "));
        assertThat(history.subList(passed, history.size())).as(all).noneMatch(line -> line.startsWith("begin "));
        assertThat(history.stream()
                        .filter(line -> line.startsWith("passed "))
                        .filter(line -> !ended.contains(line.substring("passed ".length()))))
                .as(all)
                .hasSize(10 - ended.size());
        Set<String> atWork = new HashSet<>();
        for (String line : history) {
            String[] words = line.split(" ");
            if (words[0].equals("begin")) {
                atWork.add(words[1]);
                assertThat(atWork).as(all).hasSize(1);
            } else {
                atWork.remove(words[1]);
            }
        }
    }

    /** One of the processes: the port of Redis, its name, and the folder of all. */
    static final class Main {

        private static String node = "";
        private static Path folder = Path.of("");
        private static volatile boolean isEnding;

        private Main() {}

        public static void main(String[] arguments) throws Exception {
            RedisURI uri = RedisURI.create("127.0.0.1", Integer.parseInt(arguments[0]));
            node = arguments[1];
            folder = Path.of(arguments[2]);
            try (RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(uri), "once", LEASE)) {
                OnceRunner once = OnceRunner.over(new Stepped(store))
                        .as(() -> new NodeInfo(node, node))
                        .timing(Timing.ofLease(LEASE));
                Runtime.getRuntime().addShutdownHook(new Thread(() -> isEnding = true));
                boolean unused = once.run("task", work -> {
                    write("begin");
                    step("within");
                    write("end");
                });
                write("passed");
            }
        }

        /** Waits to be killed, paused or ended if no other process was at that step. */
        private static void step(String place) throws IOException {
            for (String fate : List.of("kill-", "stop-", "term-")) {
                Path file = folder.resolve(fate + place);
                if (!Files.exists(file) && isDue(fate + place)) {
                    try {
                        write(fate + place);
                        Files.writeString(file, node, StandardOpenOption.CREATE_NEW);
                        while (!Files.exists(folder.resolve(fate + place + ".reached"))
                                || (fate.equals("term-") && !isEnding)) {
                            Thread.onSpinWait();
                        }
                        awaitEnd();
                        return;
                    } catch (FileAlreadyExistsException another) {
                        // Its runner is a leader that has lost its lease.
                        throw new IllegalStateException(another);
                    }
                }
            }
        }

        /** A process that ends does nothing more. */
        private static void awaitEnd() {
            if (isEnding) {
                try {
                    Thread.sleep(LONGEST.toMillis());
                } catch (InterruptedException interrupted) {
                    throw new CancellationException("as the test wants it");
                }
            }
        }

        private static boolean isDue(String step) {
            int before = STEPS.indexOf(step) - 1;
            return before < 0 || Files.exists(folder.resolve(STEPS.get(before) + ".reached"));
        }

        private static synchronized void write(String what) throws IOException {
            Files.writeString(
                    folder.resolve("history"),
                    what + " " + node + "\n",
                    StandardOpenOption.CREATE,
                    StandardOpenOption.APPEND);
        }

        /** A store with steps before the claim and before done. */
        private static final class Stepped extends ForwardingLeaseStore {

            Stepped(RedisLeaseStore store) {
                super(store);
            }

            @Override
            public Optional<LedgerStore> ledgerStore() {
                return super.ledgerStore().map(SteppedLedger::new);
            }
        }

        private record SteppedLedger(LedgerStore ledger) implements LedgerStore {

            @Override
            public CompletionStage<OpenReply> open(String election, FencingToken token) {
                reach("before");
                return ledger.open(election, token);
            }

            @Override
            public CompletionStage<WriteReply> write(String election, FencingToken token, Change change) {
                reach("after");
                return ledger.write(election, token, change);
            }

            @Override
            public CompletionStage<ReadReply> read(String election) {
                return ledger.read(election);
            }

            @Override
            public LedgerStore beside(String name) {
                return new SteppedLedger(ledger.beside(name));
            }

            private static void reach(String place) {
                try {
                    step(place);
                } catch (IOException failure) {
                    throw new java.io.UncheckedIOException(failure);
                }
            }
        }
    }
}
