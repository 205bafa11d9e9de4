package dev.election.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.harness.RedisBinary;
import dev.election.store.LeaseStore;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import dev.election.store.MemberStore;
import dev.election.store.StoreEvent;
import dev.election.testing.AnyRedis;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The members on Redis 7.0. */
class MembersOnRedis7Test extends RedisMembersContract {

    @BeforeAll
    void start() {
        open(AnyRedis.embedded(RedisBinary.REDIS_7_0));
    }

    @AfterAll
    void stop() {
        close();
    }

    @Test
    void the_first_listener_to_messages_opens_a_connection_and_no_other_does() throws InterruptedException {
        LinkedBlockingQueue<StoreEvent> events = new LinkedBlockingQueue<>();
        LeaseStore.Subscription election = store().listen("another", events::add);
        assertThat(events.poll(20, TimeUnit.SECONDS)).isInstanceOf(StoreEvent.Connected.class);
        while (listeningConnections() > 1) {
            // Those of another test are still being closed.
            hand().time();
        }
        MemberMessaging messaging =
                store().memberStore().flatMap(MemberStore::messaging).orElseThrow();
        ask(messaging.send("somebody", "text"));
        assertThat(listeningConnections()).isEqualTo(1);
        LinkedBlockingQueue<MemberMessage> heard = new LinkedBlockingQueue<>();
        LeaseStore.Subscription first = messaging.listen("a", heard::add);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isInstanceOf(MemberMessage.Connected.class);
        assertThat(listeningConnections()).isEqualTo(2);
        LeaseStore.Subscription second = messaging.listen("b", heard::add);
        assertThat(heard.poll(20, TimeUnit.SECONDS)).isInstanceOf(MemberMessage.Connected.class);
        assertThat(listeningConnections()).isEqualTo(2);
        first.close();
        second.close();
        election.close();
    }

    private long listeningConnections() {
        return hand().clientList()
                .lines()
                .filter(client -> !client.contains(" sub=0 "))
                .count();
    }
}
