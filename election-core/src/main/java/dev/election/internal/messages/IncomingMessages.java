package dev.election.internal.messages;

import dev.election.engine.Clock;
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
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Receives messages, calls their handlers, and sends the replies. Thread-safe. */
public final class IncomingMessages implements Reception.Host {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Most replies that are under way. */
    private static final int MOST_REPLIES = 1_000;

    private final Membership membership;
    private final MessagePost post;
    private final Questions questions;
    private final Counts counts;
    private final Reception reception;
    private final Map<String, MessageHandler> handlers = new ConcurrentHashMap<>();

    /** The types whose latest message could not be handled. */
    private final LogLimit failing = LogLimit.once();

    private final AtomicInteger replies = new AtomicInteger();

    /**
     * Creates a receiver without handlers.
     *
     * @param threads where handlers run
     * @param outside where tasks run that must not delay the loop
     */
    IncomingMessages(
            Membership membership,
            MessagePost post,
            Questions questions,
            Clock clock,
            Executor threads,
            Executor outside) {
        this.membership = membership;
        this.post = post;
        this.questions = questions;
        this.counts = post.counts();
        HangWatch watch =
                new HangWatch(clock::nanos, task -> later(HangWatch.LONG.toNanos(), () -> outside.execute(task)));
        Inbox inbox = new Inbox(threads, this::handle, watch, counts);
        this.reception = new Reception(
                this, inbox, counts, clock::nanos, post.patience().dividedBy(10).toNanos());
    }

    /** Adds a handler. Returns false if the type has one. */
    boolean add(String type, MessageHandler handler) {
        return handlers.putIfAbsent(type, handler) == null;
    }

    void remove(String type, MessageHandler handler) {
        handlers.remove(type, handler);
    }

    void take(String text) {
        reception.receive(text);
    }

    /** Looks again at messages of unknown senders. Called when the members have changed. */
    void look() {
        reception.look();
    }

    void clear() {
        reception.clear();
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
        if (message.kind() == Kind.QUESTION) {
            reply(message, Kind.UNKNOWN_TYPE, "");
        }
    }

    @Override
    public void reply(WireMessage reply) {
        if (!questions.take(reply)) {
            counts.add(MessageCount.UNEXPECTED_REPLY);
        }
    }

    @Override
    public void later(long pause, Runnable task) {
        membership.after(pause, task);
    }

    private void handle(Delivery delivery) {
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
            answer(message, reply == null ? "" : reply);
        } catch (Throwable failure) {
            counts.add(MessageCount.FAILED);
            failed(delivery, failure);
        }
    }

    private void answer(WireMessage message, String body) {
        if (message.kind() != Kind.QUESTION) {
            return;
        }
        WireMessage reply = written(message, Kind.REPLY, body);
        int bytes = reply.bytes();
        if (bytes <= NodeMessages.MOST_BYTES) {
            send(message.from(), reply);
        } else {
            String problem = "its reply has " + bytes + " bytes, but may have " + NodeMessages.MOST_BYTES;
            log.error("The handler of messages of type '{}' failed: {}", message.type(), problem);
            reply(message, Kind.FAILURE, problem);
        }
    }

    private void failed(Delivery delivery, Throwable failure) {
        WireMessage message = delivery.message();
        log.atLevel(failing.begins(message.type()) ? Level.ERROR : Level.DEBUG)
                .log(
                        "The handler of messages of type '{}' failed for one of {}. Further failures are logged at DEBUG until it"
                                + " succeeds again",
                        message.type(),
                        delivery.from().id(),
                        failure);
        if (message.kind() == Kind.QUESTION) {
            reply(message, Kind.FAILURE, failure.getClass().getName());
        }
    }

    private WireMessage written(WireMessage question, Kind kind, String body) {
        return question.reply(kind, membership.own().instance(), body);
    }

    private void reply(WireMessage question, Kind kind, String body) {
        send(question.from(), written(question, kind, body));
    }

    private void send(String instance, WireMessage reply) {
        if (replies.incrementAndGet() > MOST_REPLIES) {
            replies.decrementAndGet();
            counts.add(MessageCount.NOT_PUBLISHED);
            return;
        }
        CompletionStage<?> unused =
                post.send(instance, reply).whenComplete((outcome, failure) -> replies.decrementAndGet());
    }
}
