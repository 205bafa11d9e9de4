package dev.election.internal.messages;

import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.members.Membership;
import dev.election.internal.messages.WireMessage.Kind;
import dev.election.members.Member;
import dev.election.members.MessageCount;
import dev.election.members.MessageHandler;
import dev.election.members.NodeMessages;
import dev.election.members.ReceivedMessage;
import dev.election.support.LogLimit;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Calls the handlers of messages, and sends the replies. Thread-safe. */
final class MessageHandlers implements Reception.Host {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Most replies that are under way. */
    private static final int MOST_REPLIES = 1_000;

    private final Membership membership;
    private final MessagePost post;
    private final Questions questions;
    private final Counts counts;
    private final Loop loop;
    private final Clock clock;
    private final Map<String, MessageHandler> handlers = new ConcurrentHashMap<>();

    /** The types whose latest message could not be handled. */
    private final LogLimit failing = LogLimit.once();

    private final Semaphore replies = new Semaphore(MOST_REPLIES);

    MessageHandlers(Membership membership, MessagePost post, Questions questions, Loop loop, Clock clock) {
        this.membership = membership;
        this.post = post;
        this.questions = questions;
        this.counts = post.counts();
        this.loop = loop;
        this.clock = clock;
    }

    /** Adds a handler. Returns false if the type has one. */
    boolean add(String type, MessageHandler handler) {
        return handlers.putIfAbsent(type, handler) == null;
    }

    void remove(String type, MessageHandler handler) {
        handlers.remove(type, handler);
    }

    @Override
    public @Nullable Member member(String instance) {
        return membership.known().instance(instance);
    }

    @Override
    public boolean handles(String type) {
        return handlers.containsKey(type);
    }

    @Override
    public void unhandled(WireMessage message) {
        counts.add(MessageCount.UNKNOWN_TYPE);
        answer(message, Kind.UNKNOWN_TYPE, "");
    }

    @Override
    public void reply(WireMessage reply) {
        if (!questions.take(reply)) {
            counts.add(MessageCount.UNEXPECTED_REPLY);
        }
    }

    @Override
    public void later(long pause, Runnable task) {
        loop.offer(() -> loop.alarm(clock.nanos() + pause, task));
    }

    /** Handles a message. The caller must not be on the loop: a handler may block. */
    void handle(Delivery delivery) {
        WireMessage message = delivery.message();
        MessageHandler handler = handlers.get(message.type());
        if (handler == null) {
            unhandled(message);
            return;
        }
        try {
            String reply = handler.handle(new ReceivedMessage(delivery.from(), message.type(), message.body()));
            counts.add(MessageCount.HANDLED);
            failing.ends(message.type());
            answer(message, Kind.REPLY, reply == null ? "" : reply);
        } catch (Throwable failure) {
            counts.add(MessageCount.FAILED);
            log.atLevel(failing.begins(message.type()) ? Level.ERROR : Level.DEBUG)
                    .log(
                            "The handler of messages of type '{}' failed for one of {}. Further failures are logged at DEBUG until it"
                                    + " succeeds again",
                            message.type(),
                            delivery.from().id(),
                            failure);
            answer(message, Kind.FAILURE, failure.getClass().getName());
        }
    }

    /** Replies to a question. Other messages have no reply. */
    private void answer(WireMessage message, Kind kind, String body) {
        if (message.kind() != Kind.QUESTION) {
            return;
        }
        WireMessage reply = message.reply(kind, membership.own().instance(), body);
        int bytes = reply.bytes();
        if (bytes > NodeMessages.MOST_BYTES) {
            String problem = "its reply has " + bytes + " bytes, but may have " + NodeMessages.MOST_BYTES;
            log.error("The handler of messages of type '{}' failed: {}", message.type(), problem);
            answer(message, Kind.FAILURE, problem);
        } else if (replies.tryAcquire()) {
            CompletionStage<?> unused =
                    post.send(message.from(), reply).whenComplete((outcome, failure) -> replies.release());
        } else {
            counts.add(MessageCount.NOT_PUBLISHED);
        }
    }
}
