package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.store.AnnounceReply;
import dev.election.store.LeaseStore;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessage.Received;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The contract of stores with {@link MemberStore#messaging}. Each test has members of its own. */
public interface MemberMessagingContract {

    LeaseStore store();

    @Test
    default void a_text_reaches_the_instance_it_is_sent_to_and_no_other() throws InterruptedException {
        try (Ear a = ear("a");
                Ear b = ear("b")) {
            send("a", "to a");
            send("b", "to b");
            assertThat(a.next()).isEqualTo("to a");
            assertThat(b.next()).as("the first that it hears").isEqualTo("to b");
        }
    }

    @Test
    default void a_text_to_all_reaches_all() throws InterruptedException {
        try (Ear a = ear("a");
                Ear b = ear("b")) {
            sendToAll("to all");
            assertThat(a.next()).isEqualTo("to all");
            assertThat(b.next()).isEqualTo("to all");
        }
    }

    @Test
    default void texts_arrive_in_the_order_in_which_they_were_sent() throws InterruptedException {
        try (Ear a = ear("a")) {
            List<CompletionStage<AnnounceReply>> replies = new ArrayList<>();
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 200; i++) {
                String text = Integer.toString(i);
                sent.add(text);
                replies.add(
                        i % 3 == 0 ? messaging().sendToAll(text) : messaging().send("a", text));
            }
            List<String> heard = new ArrayList<>();
            while (heard.size() < sent.size()) {
                heard.add(a.next());
            }
            assertThat(heard).isEqualTo(sent);
            assertThat(replies)
                    .allSatisfy(reply -> assertThat(answer(reply)).isInstanceOf(AnnounceReply.Announced.class));
        }
    }

    @Test
    default void a_text_arrives_unchanged() throws InterruptedException {
        try (Ear a = ear("a")) {
            for (String text : List.of("two\nlines \u00e4\u20ac \\n \0 \\0", "", "x".repeat(16_384))) {
                send("a", text);
                assertThat(a.next()).isEqualTo(text);
            }
        }
    }

    @Test
    default void who_has_left_hears_nothing_and_a_text_to_nobody_is_no_error() throws InterruptedException {
        try (Ear stays = ear("stays")) {
            Ear left = ear("left");
            left.close();
            send("left", "too late");
            sendToAll("too late");
            assertThat(stays.next()).isEqualTo("too late");
            assertThat(left.heard).doesNotHaveAnyElementsOfTypes(Received.class);
        }
    }

    private void send(String instance, String text) {
        assertThat(answer(messaging().send(instance, text))).isInstanceOf(AnnounceReply.Announced.class);
    }

    private void sendToAll(String text) {
        assertThat(answer(messaging().sendToAll(text))).isInstanceOf(AnnounceReply.Announced.class);
    }

    private MemberMessaging messaging() {
        return store().memberStore().flatMap(MemberStore::messaging).orElseThrow();
    }

    /** Listens as that instance, and waits for the connection. */
    private Ear ear(String instance) throws InterruptedException {
        LinkedBlockingQueue<MemberMessage> heard = new LinkedBlockingQueue<>();
        LeaseStore.Subscription subscription = messaging().listen(instance, heard::add);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).as("of " + instance).isInstanceOf(MemberMessage.Connected.class);
        return new Ear(heard, subscription);
    }

    private static AnnounceReply answer(CompletionStage<AnnounceReply> reply) {
        try {
            return reply.toCompletableFuture().get(20, TimeUnit.SECONDS);
        } catch (Exception e) {
            throw new AssertionError("The store gave no reply", e);
        }
    }

    /** A listener with the messages that it has received. */
    record Ear(LinkedBlockingQueue<MemberMessage> heard, LeaseStore.Subscription subscription)
            implements AutoCloseable {

        /** Waits for the next text. A store may repeat that the connection is there. */
        String next() throws InterruptedException {
            MemberMessage message = heard.poll(20, TimeUnit.SECONDS);
            if (message == null) {
                throw new AssertionError("No text came");
            }
            return message instanceof Received received ? received.text() : next();
        }

        @Override
        public void close() {
            subscription.close();
        }
    }
}
