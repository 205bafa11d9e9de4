package dev.election.engine;

import dev.election.protocol.ProtocolTimings;
import dev.election.protocol.Self;
import dev.election.store.AnnounceReply;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds live processes that go by the same node id. The protocol keeps them apart, but nobody who reads a log or an endpoint can.
 *
 * <p>The processes find each other by messages: over a store without {@link NodeMessaging} node ids are not checked.
 */
final class DuplicateNodeIds {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** So many are told of: whoever may publish can invent any number. */
    private static final int MOST_KNOWN = 100;

    private final Self self;
    private final ProtocolTimings timings;
    private final Optional<NodeMessaging> messaging;
    private final Inquiry call;
    private final Clock clock;
    private final Set<String> known = new HashSet<>();

    DuplicateNodeIds(Self self, ProtocolTimings timings, Optional<NodeMessaging> messaging, Loop loop, Clock clock) {
        this.self = self;
        this.timings = timings;
        this.messaging = messaging;
        this.call = new Inquiry(loop, clock);
        this.clock = clock;
    }

    /**
     * Whoever shares the id will answer. A store that comes back tells of each connection, and it tells all nodes at once: one call
     * for all of that will do.
     */
    void callSoon() {
        if (messaging.isPresent()) {
            call.wait(clock.nanos() + timings.callAfter(self.hashCode()), () -> say(false));
        }
    }

    /** Calls no more. */
    void end() {
        call.end();
    }

    void hear(NodeMessage.Present other) {
        if (!other.node().equals(self.node()) || other.instance().equals(self.instance())) {
            return;
        }
        if (known.size() < MOST_KNOWN && known.add(other.instance())) {
            log.warn(
                    "Another live process takes part in the election '{}' with the same node id {}: leadership is safe, but logs and"
                            + " histories can't distinguish the two. Set a unique election.node.id in each process, or leave it"
                            + " unset",
                    self.election(),
                    self.node());
        }
        if (!other.isAnswer()) {
            say(true);
        }
    }

    private void say(boolean isAnswer) {
        NodeMessage.Present message = new NodeMessage.Present(self.node(), self.instance(), isAnswer);
        messaging.ifPresent(nodes -> {
            CompletionStage<AnnounceReply> unused = nodes.announce(self.election(), message);
        });
    }
}
