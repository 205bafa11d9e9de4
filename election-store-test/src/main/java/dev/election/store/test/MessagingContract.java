package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.store.AnnounceReply;
import dev.election.store.LeaseStore;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import dev.election.store.StoreEvent;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;

/** The contract of stores with {@link LeaseStore#messaging}. */
public interface MessagingContract extends LeaseStoreFixture {

    @Test
    default void messages_reach_all_who_listen() throws InterruptedException {
        LinkedBlockingQueue<StoreEvent> heard = new LinkedBlockingQueue<>();
        FencingToken token = new FencingToken(7);
        List<NodeMessage> messages = List.of(
                new NodeMessage.AbdicationRequested("r", token, Abdication.toAnyone()),
                new NodeMessage.AbdicationRequested("r", token, to("n-1", LEASE).drainingFor(LEASE)),
                new NodeMessage.AbdicationHeard("r", LEASE));
        try (LeaseStore.Subscription subscription = store().listen(election(), heard::add)) {
            assertThat(next(heard)).isInstanceOf(StoreEvent.Connected.class);
            for (NodeMessage message : messages) {
                assertThat(ask(messaging().announce(election(), message))).isInstanceOf(AnnounceReply.Announced.class);
                assertThat(next(heard)).isEqualTo(new StoreEvent.Received(message));
            }
        }
    }

    private NodeMessaging messaging() {
        return store().messaging().orElseThrow();
    }
}
