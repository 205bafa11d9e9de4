package dev.election.internal.messages;

import dev.election.engine.Loop;
import dev.election.internal.members.Membership;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends messages when this process is a member and knows the others, and subscribes to messages once a handler or a question needs that. Used on the
 * loop only, unless stated otherwise.
 */
final class MessageExchange implements Membership.LifecycleListener {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private final MemberMessaging messaging;
    private final Membership membership;
    private final Loop loop;
    private final Reception reception;
    private final Questions questions;
    private final Set<Waiting> waiting = new LinkedHashSet<>();

    private boolean isMember;
    private boolean isWanted;
    private @Nullable Subscription subscription;

    /** Whether the store has confirmed the subscription. */
    private boolean isHearing;

    /**
     * Creates an exchange without a subscription.
     *
     * @param reception takes the messages that arrive
     * @param questions end without a reply when this process is no member any more
     */
    MessageExchange(
            MemberMessaging messaging, Membership membership, Loop loop, Reception reception, Questions questions) {
        this.messaging = messaging;
        this.membership = membership;
        this.loop = loop;
        this.reception = reception;
        this.questions = questions;
    }

    /** Subscribes to messages from now on, whenever this process is a member. */
    void hear() {
        isWanted = true;
        subscribe();
    }

    @Override
    public void joined() {
        isMember = true;
        subscribe();
    }

    @Override
    public void seen() {
        reception.look();
        sendReady();
    }

    @Override
    public void left() {
        isMember = false;
        isHearing = false;
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
        List.copyOf(waiting).forEach(one -> one.ready.complete(false));
        questions.abandonAll();
        reception.clear();
    }

    /**
     * Waits until a message can be sent.
     *
     * @param needsReply whether the subscription must be confirmed before
     * @param until when to give up, on the monotonic clock
     * @param ready completed here, with false if the message can't be sent
     */
    void await(boolean needsReply, long until, CompletableFuture<Boolean> ready) {
        if (needsReply) {
            hear();
        }
        Waiting added = new Waiting(needsReply, ready);
        if (isReady(added)) {
            ready.complete(true);
            return;
        }
        waiting.add(added);
        Loop.Alarm alarm = loop.alarm(until, () -> ready.complete(false));
        CompletionStage<?> unused = ready.thenRun(() -> {
            waiting.remove(added);
            alarm.cancel();
        });
    }

    private void sendReady() {
        waiting.stream().filter(this::isReady).toList().forEach(one -> one.ready.complete(true));
    }

    private boolean isReady(Waiting one) {
        return isMember && membership.known().isComplete() && (isHearing || !one.needsReply);
    }

    private void subscribe() {
        if (!isMember || !isWanted || subscription != null) {
            return;
        }
        String instance = membership.own().instance();
        try {
            subscription = messaging.listen(instance, heard -> take(instance, heard));
        } catch (Throwable failure) {
            log.error("Failed to subscribe to the messages of members. This node receives none", failure);
        }
    }

    /** Takes a message, or the confirmation of the subscription. On the thread of the store. */
    private void take(String instance, MemberMessage heard) {
        if (heard instanceof MemberMessage.Received received) {
            reception.receive(received.text());
        } else {
            loop.offerHere(() -> connected(instance));
        }
    }

    private void connected(String instance) {
        if (isMember && membership.own().instance().equals(instance)) {
            isHearing = true;
            sendReady();
        }
    }

    private record Waiting(boolean needsReply, CompletableFuture<Boolean> ready) {}
}
