package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.harness.RedisBinary;
import dev.election.members.AskReply.Answered;
import dev.election.members.AskReply.Reason;
import dev.election.members.AskReply.Unanswered;
import dev.election.members.Member;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.members.MessageCount;
import dev.election.members.NodeMessages;
import dev.election.members.Recipient;
import dev.election.members.SendOutcome;
import dev.election.redis.client.RedisAccess;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import dev.election.testing.Nodes;
import dev.election.testing.RedisServer;
import dev.election.testing.Thorough;
import io.lettuce.core.RedisClient;
import io.lettuce.core.api.StatefulRedisConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Three processes that send messages to each other over Redis. */
class MessagesOverRedisTest {

    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final String PREFIX = "messages";
    private static final int HOSTILE = 100_000;

    @AutoClose
    private static final RedisServer server = RedisServer.start(RedisBinary.REDIS_7_0);

    private final List<Process> processes = new ArrayList<>();

    @BeforeEach
    void startProcesses() {
        for (String id : new String[] {"a", "b", "c"}) {
            processes.add(new Process(id));
        }
        for (Process process : processes) {
            // A process that has an answer to a question of its own hears messages.
            Nodes.await("messages to " + process.id)
                    .until(() -> answer(process.messages.ask(
                                    Recipient.member(process.id), "echo", "", Duration.ofSeconds(5)))
                            instanceof Answered);
            Nodes.await("all members").until(() -> process.members.count() == processes.size());
        }
    }

    @AfterEach
    void stopProcesses() {
        processes.forEach(Process::close);
        server.call(redis -> redis.flushall());
    }

    @Test
    void messages_reach_a_member_the_leader_or_all_and_questions_are_answered() throws InterruptedException {
        Process a = processes.get(0);
        Process c = processes.get(2);
        assertThat(answer(a.messages.send(Recipient.member("c"), "note", "1"))).isEqualTo(SendOutcome.PUBLISHED);
        assertThat(c.heard.poll(20, TimeUnit.SECONDS)).isEqualTo("a: 1");
        String leader = Nodes.await("a leader that all know")
                .until(
                        () -> processes.stream()
                                .map(process -> process.members.leader("e").map(Member::id))
                                .distinct()
                                .toList(),
                        leaders -> leaders.size() == 1 && leaders.get(0).isPresent())
                .get(0)
                .orElseThrow();
        assertThat(answer(a.messages.send(Recipient.leaderOf("e"), "note", "2")))
                .isEqualTo(SendOutcome.PUBLISHED);
        assertThat(of(leader).heard.poll(20, TimeUnit.SECONDS)).isEqualTo("a: 2");
        a.messages.send(Recipient.all(), "note", "3");
        for (Process process : processes) {
            assertThat(process.heard.poll(20, TimeUnit.SECONDS)).isEqualTo("a: 3");
        }
        assertThat(answer(a.messages.ask(Recipient.member("b"), "echo", "{\"x\":\n\"\u00e4\"}", LEASE)))
                .isEqualTo(new Answered("{\"x\":\n\"\u00e4\"}"));
        assertThat(answer(a.messages.ask(Recipient.member("b"), "unknown", "", LEASE)))
                .isInstanceOfSatisfying(
                        Unanswered.class, none -> assertThat(none.reason()).isEqualTo(Reason.UNKNOWN_TYPE));
        assertThat(answer(a.messages.send(Recipient.member("nobody"), "note", "")))
                .isEqualTo(SendOutcome.NO_SUCH_MEMBER);
    }

    @Test
    void what_the_thread_of_the_connections_sends_does_not_overtake_what_another_thread_has_sent() throws Exception {
        MemberMessaging messaging =
                processes.get(0).store.memberStore().orElseThrow().messaging().orElseThrow();
        CountDownLatch connected = new CountDownLatch(1);
        CountDownLatch borrowed = new CountDownLatch(1);
        CountDownLatch sent = new CountDownLatch(1);
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        try (Subscription unused = messaging.listen("receiver", message -> {
            if (message instanceof MemberMessage.Received received) {
                heard.add(received.text());
                if (received.text().equals("0")) {
                    borrowed.countDown();
                    awaitOnThreadOfStore(sent);
                    messaging.send("receiver", "2");
                }
            } else {
                connected.countDown();
            }
        })) {
            assertThat(connected.await(20, TimeUnit.SECONDS)).isTrue();
            messaging.send("receiver", "0");
            assertThat(borrowed.await(20, TimeUnit.SECONDS)).isTrue();
            messaging.send("receiver", "1");
            sent.countDown();
            for (String text : List.of("0", "1", "2")) {
                assertThat(heard.poll(20, TimeUnit.SECONDS)).isEqualTo(text);
            }
        }
    }

    private static void awaitOnThreadOfStore(CountDownLatch latch) {
        try {
            assertThat(latch.await(20, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Thorough
    void a_hundred_thousand_hostile_messages_neither_fill_the_memory_nor_keep_others_from_getting_through()
            throws InterruptedException {
        Process a = processes.get(0);
        Process b = processes.get(1);
        String channel = PREFIX + ":{members}:to:" + b.members.own().instance();
        String forged = "kind=message\nfrom=forged\ntype=note\n\nx";
        String unknown = "kind=message\nfrom=" + a.members.own().instance() + "\ntype=unknown\n\nx";
        String oversized = "x".repeat(NodeMessages.MOST_BYTES + 1);
        RedisClient client = RedisClient.create(server.uri());
        try (StatefulRedisConnection<String, String> hostile = client.connect()) {
            hostile.setAutoFlushCommands(false);
            for (int i = 0; i < HOSTILE; i++) {
                hostile.async()
                        .publish(channel, i % 100 == 0 ? oversized : i % 3 == 0 ? forged : i % 3 == 1 ? unknown : "?");
                if (i % 1_000 == 0) {
                    hostile.flushCommands();
                    a.messages.send(Recipient.member("b"), "note", Integer.toString(i));
                }
            }
            hostile.flushCommands();
            for (int i = 0; i < HOSTILE; i += 1_000) {
                assertThat(b.heard.poll(60, TimeUnit.SECONDS)).isEqualTo("a: " + i);
            }
            Nodes.await("all to be dropped").until(() -> dropped(b) == HOSTILE);
        } finally {
            client.shutdown(0, 1, TimeUnit.SECONDS);
        }
        assertThat(b.messages.count(MessageCount.OVERSIZED)).isEqualTo(HOSTILE / 100);
    }

    private static long dropped(Process process) {
        long all = 0;
        for (MessageCount what : List.of(
                MessageCount.OVERSIZED,
                MessageCount.MALFORMED,
                MessageCount.UNKNOWN_SENDER,
                MessageCount.UNKNOWN_TYPE)) {
            all += process.messages.count(what);
        }
        return all;
    }

    private Process of(String id) {
        return processes.stream()
                .filter(process -> process.id.equals(id))
                .findAny()
                .orElseThrow();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().orTimeout(60, TimeUnit.SECONDS).join();
    }

    private static final class Process implements AutoCloseable {

        private final String id;
        private final RedisLeaseStore store = RedisLeaseStore.open(RedisAccess.at(server.uri()), PREFIX, LEASE);
        private final ElectionEngine engine;
        private final Members members;
        private final NodeMessages messages;
        private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

        Process(String id) {
            this.id = id;
            this.engine = ElectionEngine.over(store)
                    .as(new NodeInfo(id, id + ":80"))
                    .timing(Timing.ofLease(LEASE))
                    .members(MemberSettings.none())
                    .build();
            this.members = engine.members().orElseThrow();
            this.messages = engine.messages().orElseThrow();
            engine.get("e");
            messages.handle("note", message -> {
                heard.add(message.from().id() + ": " + message.body());
                return null;
            });
            messages.handle("echo", message -> message.body());
            engine.start();
        }

        @Override
        public void close() {
            engine.close();
            store.close();
        }
    }
}
