package dev.election.internal.engine;

import dev.election.internal.protocol.ProtocolTimings;
import dev.election.store.AnnounceReply;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.NodeEvent;
import dev.election.store.NodeMessaging;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds live processes that go by the same node id. The protocol keeps them apart, but nobody who reads a log or an endpoint can.
 *
 * <p>The processes find each other by messages that nobody else gets, one of each process for all its elections: over a store without
 * {@link NodeMessaging} node ids are not checked, which is logged.
 */
final class DuplicateNodeIds {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** So many are told of: whoever may publish can invent any number. */
    private static final int MOST_KNOWN = 100;

    private final ProtocolTimings timings;
    private final Optional<NodeMessaging> messaging;
    private final Loop loop;
    private final Clock clock;
    private final Inquiry call;
    private final Inquiry answer;
    private final Set<String> known = new HashSet<>();

    /** The identity of this process before its latest start: a message from then may still be under way. */
    private final Set<String> former = new HashSet<>();

    private Identity self;
    private @Nullable Subscription subscription;

    DuplicateNodeIds(
            Identity self, ProtocolTimings timings, Optional<NodeMessaging> messaging, Loop loop, Clock clock) {
        this.self = self;
        this.timings = timings;
        this.messaging = messaging;
        this.loop = loop;
        this.clock = clock;
        this.call = new Inquiry(loop, clock);
        this.answer = new Inquiry(loop, clock);
    }

    void start(Identity identity) {
        onLoop(() -> {
            former.add(self.instance());
            self = identity;
            messaging.ifPresentOrElse(
                    this::listen,
                    () -> log.info(
                            "The store carries no messages between nodes: a second live process with the node id {} is"
                                    + " not found, and requests to abdicate reach the leader only on its own node",
                            node()));
        });
    }

    void stop() {
        onLoop(() -> {
            if (subscription != null) {
                subscription.close();
                subscription = null;
            }
            call.end();
            answer.end();
        });
    }

    private void listen(NodeMessaging nodes) {
        if (subscription != null) {
            return;
        }
        try {
            subscription = nodes.listenAs(node(), event -> onLoop(() -> hear(event)));
        } catch (Throwable failure) {
            log.error(
                    "Failed to subscribe to the messages of node {}. Another process with the same election.node.id is"
                            + " not found",
                    node(),
                    failure);
        }
    }

    private void hear(NodeEvent event) {
        if (subscription == null) {
            return;
        }
        if (event instanceof NodeEvent.Present other) {
            hear(other);
        } else {
            // Whoever shares the id will answer. A store that comes back may say so several times: one call will do.
            call.wait(clock.nanos() + pause(), () -> say(false));
        }
    }

    private void hear(NodeEvent.Present other) {
        if (other.instance().equals(self.instance()) || former.contains(other.instance())) {
            return;
        }
        if (known.size() < MOST_KNOWN && known.add(other.instance())) {
            log.warn(
                    "Another live process takes part in elections in this store with the same node id {}: leadership"
                            + " is safe, but logs and histories can't distinguish the two. Set a unique election.node.id"
                            + " in each process, or leave it unset",
                    node());
        }
        if (other.isAnswer()) {
            // Whoever has called has heard that too: where many share an id, not all of them answer each other.
            answer.end();
        } else {
            answer.wait(clock.nanos() + pause(), () -> say(true));
        }
    }

    private void say(boolean isAnswer) {
        NodeEvent.Present present = new NodeEvent.Present(self.instance(), isAnswer);
        messaging.ifPresent(nodes -> {
            CompletionStage<AnnounceReply> unused = nodes.announceAs(node(), present);
        });
    }

    private String node() {
        return self.node().id();
    }

    private long pause() {
        return timings.callAfter(self.instance().hashCode());
    }

    /** Takes what the store says, on its thread. */
    private void onLoop(Runnable task) {
        try {
            loop.executeHere(task);
        } catch (RejectedExecutionException closed) {
            log.trace("The engine is closed", closed);
        }
    }
}
