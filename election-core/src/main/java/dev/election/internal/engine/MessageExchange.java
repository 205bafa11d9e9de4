package dev.election.internal.engine;

import dev.election.store.LeaseStore.Subscription;
import dev.election.store.MemberMessage;
import dev.election.store.MemberMessaging;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * When this process sends and hears messages: it sends once it is a member and knows the others, and hears once somebody wants that. On the loop,
 * unless said.
 */
final class MessageExchange implements Membership.LifecycleListener {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** How many messages and questions wait until they can be sent. */
    private static final int MOST_WAITING = 1_000;

    private final MemberMessaging messaging;
    private final Membership membership;
    private final Loop loop;
    private final IncomingMessages incoming;
    private final Questions questions;
    private final List<Waiting> waiting = new ArrayList<>();

    private boolean isMember;
    private boolean isWanted;
    private @Nullable Subscription subscription;

    /** Whether messages to this process can be heard. */
    private boolean isHearing;

    /**
     * Creates it.
     *
     * @param incoming is told what comes
     * @param questions have no reply once this process is no member
     */
    MessageExchange(
            MemberMessaging messaging,
            Membership membership,
            Loop loop,
            IncomingMessages incoming,
            Questions questions) {
        this.messaging = messaging;
        this.membership = membership;
        this.loop = loop;
        this.incoming = incoming;
        this.questions = questions;
    }

    /** Hears messages from here on, whenever this process is a member. */
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
        incoming.look();
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
        List<Waiting> lost = List.copyOf(waiting);
        waiting.clear();
        lost.forEach(Waiting::giveUp);
        questions.abandonAll();
        incoming.clear();
    }

    /**
     * Sends something as soon as this process can.
     *
     * @param needsReply whether it must hear replies by then
     * @param until when that is given up, on the monotonic clock
     * @param send sends it
     * @param lost called if that is given up
     */
    void sendWhenReady(boolean needsReply, long until, Runnable send, Runnable lost) {
        Waiting added = new Waiting(needsReply, send, lost);
        if (isReady(added)) {
            send.run();
        } else if (waiting.size() >= MOST_WAITING) {
            lost.run();
        } else {
            waiting.add(added);
            added.alarm = loop.alarm(until, () -> {
                waiting.remove(added);
                lost.run();
            });
        }
    }

    private void sendReady() {
        List<Waiting> ready = waiting.stream().filter(this::isReady).toList();
        if (!ready.isEmpty()) {
            waiting.removeIf(this::isReady);
            ready.forEach(Waiting::go);
        }
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

    /** On the thread of the store. */
    private void take(String instance, MemberMessage heard) {
        if (heard instanceof MemberMessage.Received received) {
            incoming.take(received.text());
        } else {
            membership.onLoop(() -> connected(instance));
        }
    }

    private void connected(String instance) {
        if (isMember && membership.own().instance().equals(instance)) {
            isHearing = true;
            sendReady();
        }
    }

    private static final class Waiting {

        private final boolean needsReply;
        private final Runnable send;
        private final Runnable lost;
        private Loop.@Nullable Alarm alarm;

        private Waiting(boolean needsReply, Runnable send, Runnable lost) {
            this.needsReply = needsReply;
            this.send = send;
            this.lost = lost;
        }

        private void go() {
            cancel();
            send.run();
        }

        private void giveUp() {
            cancel();
            lost.run();
        }

        private void cancel() {
            if (alarm != null) {
                alarm.cancel();
            }
        }
    }
}
