package dev.election.store.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.store.AnnounceReply;
import dev.election.store.LeaseStore;
import dev.election.store.NodeEvent;
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

    @Test
    default void what_a_process_says_of_itself_reaches_those_with_the_same_node_id_and_nobody_else()
            throws InterruptedException {
        LinkedBlockingQueue<NodeEvent> one = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<NodeEvent> same = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<NodeEvent> another = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<StoreEvent> inElection = new LinkedBlockingQueue<>();
        // A name that an election could have too.
        String node = election();
        try (LeaseStore.Subscription first = messaging().listenAs(node, one::add);
                LeaseStore.Subscription second = messaging().listenAs(node, same::add);
                LeaseStore.Subscription third = messaging().listenAs(node + "-1", another::add);
                LeaseStore.Subscription fourth = store().listen(election(), inElection::add)) {
            assertThat(next(one)).isInstanceOf(NodeEvent.Connected.class);
            assertThat(next(another)).isInstanceOf(NodeEvent.Connected.class);
            assertThat(next(inElection)).isInstanceOf(StoreEvent.Connected.class);
            NodeEvent.Present present = new NodeEvent.Present("i", false);
            // The second time it says the same.
            for (NodeEvent.Present said : List.of(present, present, new NodeEvent.Present("j", true))) {
                announceAs(node, said);
                assertThat(nextPresent(one)).isEqualTo(said);
                assertThat(nextPresent(same)).isEqualTo(said);
            }
            NodeEvent.Present last = new NodeEvent.Present("last", true);
            announceAs(node + "-1", last);
            assertThat(next(another)).as("the first that it hears").isEqualTo(last);
            NodeMessage message = new NodeMessage.AbdicationHeard("r", LEASE);
            ask(messaging().announce(election(), message));
            assertThat(next(inElection)).as("the first that it hears").isEqualTo(new StoreEvent.Received(message));
        }
        assertThat(one).doesNotHaveAnyElementsOfTypes(NodeEvent.Present.class);
        assertThat(same).doesNotHaveAnyElementsOfTypes(NodeEvent.Present.class);
    }

    @Test
    default void who_has_come_later_or_left_is_not_told_what_was_said_before_or_since() throws InterruptedException {
        LinkedBlockingQueue<NodeEvent> early = new LinkedBlockingQueue<>();
        LinkedBlockingQueue<NodeEvent> late = new LinkedBlockingQueue<>();
        NodeEvent.Present before = new NodeEvent.Present("before", false);
        NodeEvent.Present after = new NodeEvent.Present("after", false);
        LeaseStore.Subscription first = messaging().listenAs(election(), early::add);
        assertThat(next(early)).isInstanceOf(NodeEvent.Connected.class);
        announceAs(election(), before);
        assertThat(next(early)).isEqualTo(before);
        try (LeaseStore.Subscription second = messaging().listenAs(election(), late::add)) {
            // One store subscribes once, and need not tell the second listener that it has.
            while (!late.contains(after)) {
                announceAs(election(), after);
                assertThat(nextPresent(early)).isEqualTo(after);
            }
            first.close();
            early.clear();
            NodeEvent.Present last = new NodeEvent.Present("last", false);
            announceAs(election(), last);
            // What it has heard may be repeated.
            for (NodeEvent heard = after; !heard.equals(last); heard = nextPresent(late)) {
                assertThat(heard).isEqualTo(after);
            }
        }
        assertThat(early).isEmpty();
    }

    private NodeMessaging messaging() {
        return store().messaging().orElseThrow();
    }

    private void announceAs(String node, NodeEvent.Present present) {
        assertThat(ask(messaging().announceAs(node, present))).isInstanceOf(AnnounceReply.Announced.class);
    }

    /** A store may repeat to all listeners of a node that it can be reached when another one begins to listen. */
    private NodeEvent nextPresent(LinkedBlockingQueue<NodeEvent> heard) throws InterruptedException {
        NodeEvent event = next(heard);
        return event instanceof NodeEvent.Connected ? nextPresent(heard) : event;
    }
}
