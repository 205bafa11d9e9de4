package dev.election.internal.abdication;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipRecord;
import dev.election.StoreProblem;
import dev.election.StoreView;
import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.requests.EngineContext;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.NodeMessage;
import dev.election.store.ReadReply;
import dev.election.store.StoreEvent;
import dev.election.support.RandomId;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A request to the leader to give leadership up, on the node that sends it. All methods are called on the loop.
 *
 * <p>The leader is asked by a message, which may be lost. So the store is read and the message repeated, with growing pauses, until the
 * leader has reacted. The request is fulfilled however that leadership ends.
 *
 * <p>The request goes to the leader that the caller knows. So of two requests at the same time the second does not end the leadership that
 * begins because of the first. A newer leader that this node should have known for long is asked as well.
 *
 * <p>A request that needs a capability which the store lacks is refused before anything is sent: force needs {@link Eviction}, and a
 * leader on another node is asked by a message. Without messages that leader is not evicted either: nobody has asked it.
 */
final class RemoteAbdication {

    /** Longest hand-over, beyond the time reserved for a successor: a few round trips, and the candidates before it in the queue. */
    private static final long HAND_OVER = 2_000_000_000L;

    private static final long LONGEST_PAUSE = 4_000_000_000L;

    /** A leader that has led for longer than this before the request counts as known to the caller. */
    private static final long NEWS = 1_000_000_000L;

    private enum Phase {
        /** The next answer of the store decides, whatever events say meanwhile. */
        DECIDING,
        /** The leader is asked until it reacts. */
        ASKING,
        /** The leader has reacted, and waits for its running work. */
        DRAINING,
        /** The leadership has ended, and another one is to begin. */
        SUCCEEDING
    }

    private final String id = RandomId.ofBytes(8);
    private final AbdicationRequest request;
    private final RemoteAbdications host;
    private final LeaseStore store;

    /** Evicts a leader that does not react; {@code null} if it is not to be evicted. */
    private final @Nullable Eviction eviction;

    private final CompletableFuture<AbdicationReport> report;
    private final Loop loop;
    private final Clock clock;
    private final long begun;
    private final long patience;

    private Phase phase = Phase.DECIDING;
    private @Nullable Leader before;
    private @Nullable Leader after;

    /** The reason why the last message may not have reached the leader. */
    private volatile @Nullable NoAnswer undelivered;

    /** The outcome by events and replies alone. */
    private AbdicationOutcome heard = AbdicationOutcome.ENDED_UNCONFIRMED;

    /** Ends the present wait, for an answer or a time. */
    private Loop.@Nullable Alarm alarm;

    private long pause;
    private long until;

    /**
     * @param known the leader that this node knows of
     * @param report completed when the request has ended
     */
    RemoteAbdication(
            AbdicationRequest request,
            @Nullable Leader known,
            RemoteAbdications host,
            CompletableFuture<AbdicationReport> report) {
        this.report = report;
        this.host = host;
        EngineContext context = host.context;
        this.store = context.store();
        // Time for the request to reach the leader and for the answer to reach this node.
        this.request = request.waitingFor(
                request.patience().plus(store.traits().messageDelay().multipliedBy(2)));
        this.before = known;
        this.eviction = request.force() ? store.eviction().orElse(null) : null;
        this.loop = context.loop();
        this.clock = context.clock();
        this.begun = clock.nanos();
        this.patience = this.request.patience().toNanos();
    }

    void start() {
        if (request.force() && eviction == null) {
            after = before;
            refuse(store.traits().name()
                    + " can't evict a leader, so nothing was sent: request the abdication without force, or stop the"
                    + " process of the leader and wait until its lease has ended");
        } else {
            read(this::begin);
        }
    }

    /** Takes an event of the store. */
    void hear(StoreEvent event) {
        if (event instanceof StoreEvent.Received received
                && received.message() instanceof NodeMessage.AbdicationHeard reaction
                && reaction.request().equals(id)
                && phase == Phase.ASKING) {
            enter(Phase.DRAINING, reaction.drain().toNanos() + patience);
        } else if (event instanceof StoreEvent.Released end && isAbout(end.token())) {
            if (heard != AbdicationOutcome.EVICTED) {
                heard = AbdicationOutcome.RELEASED;
            }
            if (phase == Phase.ASKING || phase == Phase.DRAINING) {
                awaitSuccessor();
            }
        }
    }

    /** Takes the leader that this node knows of now. */
    void see(Leader leader) {
        if (phase != Phase.DECIDING && before != null && leader.token().isNewerThan(before.token())) {
            after = leader;
            phase = Phase.DECIDING;
            read(this::conclude);
        }
    }

    private boolean isAbout(FencingToken token) {
        return before != null && before.token().equals(token);
    }

    private void begin(ReadReply reply) {
        if (!(reply instanceof ReadReply.Read read)) {
            finish(AbdicationOutcome.STORE_UNAVAILABLE, (NoAnswer) reply);
            return;
        }
        Leader leader = read.view().leader().orElse(null);
        if (leader == null) {
            if (before == null) {
                finish(AbdicationOutcome.NOT_LEADER, null);
            } else {
                awaitSuccessor();
            }
            return;
        }
        if (before != null && leader.token().isNewerThan(before.token()) && isNews(leader, read.view())) {
            conclude(reply);
            return;
        }
        before = leader;
        after = leader;
        if (leader.node().equals(request.how().successor())) {
            finish(AbdicationOutcome.ALREADY_LEADS, null);
        } else if (store.messaging().isEmpty() && !host.isOwn.test(leader.token())) {
            refuse(store.traits().name() + " passes no messages on between nodes, so " + leader.node()
                    + ", which leads, was not asked: request the abdication on that node");
        } else {
            send(leader);
            enter(Phase.ASKING, patience);
        }
    }

    private boolean isNews(Leader leader, StoreView view) {
        Duration led = Duration.between(leader.since(), view.readAt());
        return led.compareTo(Duration.ofNanos(clock.nanos() - begun + NEWS)) < 0;
    }

    private void send(Leader leader) {
        NodeMessage.AbdicationRequested message =
                new NodeMessage.AbdicationRequested(id, leader.token(), request.how());
        // A node that asks itself must get the request even if no message gets through.
        host.ownNode.accept(new StoreEvent.Received(message));
        store.messaging().ifPresent(nodes -> nodes.announce(host.election, message)
                .thenAccept(reply -> undelivered = reply instanceof NoAnswer problem ? problem : null));
    }

    private void enter(Phase next, long within) {
        phase = next;
        until = clock.nanos() + within;
        pause = patience / 4;
        lookLater();
    }

    private void awaitSuccessor() {
        // The successor learns of the release one delay later, the others learn of the end of the reservation another
        // one later.
        long delays = store.traits().messageDelay().multipliedBy(2).toNanos();
        enter(Phase.SUCCEEDING, request.how().reserve().toNanos() + delays + HAND_OVER);
    }

    private void lookLater() {
        setAlarm(Math.min(clock.nanos() + pause, until), () -> read(this::look));
        pause = Math.min(LONGEST_PAUSE, pause * 2);
    }

    private void look(ReadReply reply) {
        boolean isOver = clock.nanos() - until >= 0;
        if (reply instanceof NoAnswer problem) {
            if (isOver) {
                finish(AbdicationOutcome.STORE_UNAVAILABLE, problem);
            } else {
                lookLater();
            }
            return;
        }
        StoreView view = ((ReadReply.Read) reply).view();
        boolean isLed = before != null && view.isLedUnder(before.token());
        if ((view.leader().isPresent() && !isLed) || (phase == Phase.SUCCEEDING && isOver)) {
            conclude(reply);
        } else if (!isLed && phase != Phase.SUCCEEDING) {
            awaitSuccessor();
        } else if (isLed && isOver) {
            giveUp();
        } else {
            if (phase == Phase.ASKING && before != null) {
                send(before);
            }
            lookLater();
        }
    }

    private void giveUp() {
        if (eviction == null || before == null) {
            if (phase == Phase.DRAINING) {
                finish(AbdicationOutcome.STILL_DRAINING, null);
            } else {
                finish(AbdicationOutcome.NO_REACTION, undelivered);
            }
            return;
        }
        phase = Phase.DECIDING;
        Abdication how = request.how();
        FencingToken token = before.token();
        question(eviction.evict(new EvictRequest(host.election, token, how)), reply -> {
            if (reply instanceof NoAnswer problem) {
                finish(AbdicationOutcome.STORE_UNAVAILABLE, problem);
            } else {
                awaitSuccessor();
                if (reply instanceof EvictReply.Evicted) {
                    heard = AbdicationOutcome.EVICTED;
                    // This node may take over at once even if no message gets through.
                    host.ownNode.accept(new StoreEvent.Released(token, how.successor(), how.reserve()));
                }
            }
        });
    }

    /** Reports the outcome, by the reply of the store if there is one: the store is authoritative about who leads and how the leadership ended. */
    private void conclude(ReadReply reply) {
        AbdicationOutcome outcome = heard;
        if (reply instanceof ReadReply.Read read) {
            after = read.view().leader().orElse(null);
            outcome = read.view().leaderships().stream()
                    .filter(past -> isAbout(past.leader().token()))
                    .findFirst()
                    .map(LeadershipRecord::reason)
                    .map(RemoteAbdicationOutcome::of)
                    .orElse(heard);
        }
        finish(outcome, null);
    }

    private void refuse(String reason) {
        end(AbdicationOutcome.UNSUPPORTED, reason);
    }

    private void finish(AbdicationOutcome outcome, @Nullable NoAnswer problem) {
        end(outcome, RemoteAbdicationOutcome.detail(outcome, request, before, after, problem));
    }

    private void end(AbdicationOutcome outcome, String detail) {
        clearAlarm();
        AbdicationReport done = new AbdicationReport(
                outcome,
                detail,
                Optional.ofNullable(before),
                Optional.ofNullable(after),
                Duration.ofNanos(clock.nanos() - begun));
        host.done(this, done, report);
    }

    private void read(Consumer<ReadReply> next) {
        question(store.read(host.election), next);
    }

    /** Waits for an answer of the store, but not forever: the request must end even if the store does not answer. */
    private <T> void question(CompletionStage<T> answer, Consumer<? super T> next) {
        Loop.Alarm late = setAlarm(
                clock.nanos() + patience,
                () -> finish(
                        AbdicationOutcome.STORE_UNAVAILABLE,
                        new NoAnswer(
                                StoreProblem.TIMED_OUT,
                                "no answer within " + ReadableDuration.of(request.patience()))));
        answer.thenAccept(reply -> loop.offerHere(() -> {
            if (alarm == late) {
                clearAlarm();
                next.accept(reply);
            }
        }));
    }

    /** Waits until that time. Ends the former wait. */
    private Loop.Alarm setAlarm(long at, Runnable next) {
        clearAlarm();
        Loop.Alarm set = loop.alarm(at, next);
        alarm = set;
        return set;
    }

    private void clearAlarm() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }
}
