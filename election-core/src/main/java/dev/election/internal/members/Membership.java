package dev.election.internal.members;

import dev.election.Role;
import dev.election.StoreProblem;
import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.election.Identity;
import dev.election.internal.election.ResultMonitor;
import dev.election.internal.engine.EnginePart;
import dev.election.internal.requests.Batch;
import dev.election.internal.requests.Conversation;
import dev.election.internal.requests.EngineContext;
import dev.election.members.Downtime;
import dev.election.members.Drain;
import dev.election.members.DrainOutcome;
import dev.election.members.MemberEvent;
import dev.election.members.MemberJoined;
import dev.election.members.MemberListener;
import dev.election.members.MemberRole;
import dev.election.members.MemberSettings;
import dev.election.store.BeatReply;
import dev.election.store.BeatReply.Beaten;
import dev.election.store.BeatRequest;
import dev.election.store.LeaseStore.Subscription;
import dev.election.store.LeaveReply;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.NoAnswer;
import dev.election.support.LogLimit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The membership of this process: once it is {@linkplain #request requested}, the process sends heartbeats and keeps a copy of the members. Used on the
 * loop only, unless stated otherwise.
 */
public final class Membership implements EnginePart {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private static final int LEAVE_MILLIS = 1000;

    private static final int ORDER_MILLIS = 5000;

    private final MemberStore store;
    private final Duration expiresAfter;
    private final Conversation conversation;
    private final Loop loop;
    private final Clock clock;
    private final MemberListeners listeners;
    private final Executor callbacks;
    private final BeatSchedule schedule;
    private final DuplicateMembers duplicates = new DuplicateMembers();
    private final OtherLeases otherLeases = new OtherLeases();

    private RosterCopy copy;

    /** Whether the elections run. */
    private boolean isStarted;

    /** Whether this process sends heartbeats. */
    private boolean isRunning;

    /** Whether it has sent one since its latest start. */
    private boolean isRegistered;

    private volatile boolean isRequested;
    private Loop.@Nullable Alarm alarm;
    private @Nullable Subscription subscription;

    /** When the first beat was answered. */
    private @Nullable Long joinedAt;

    private final List<LifecycleListener> lifecycleListeners = new ArrayList<>();

    /** The orders that the store has accepted and a beat has not confirmed yet. */
    private final List<Ordered> orders = new ArrayList<>();

    /** The logged problem of the beats that have failed since the last answer, {@code null} if none was logged. */
    private @Nullable StoreProblem problem;

    /** When the first of these beats failed, {@code null} if the last one was answered. */
    private @Nullable Long failingSince;

    private final ResultMonitor changes = new ResultMonitor();
    private final LogLimit tooMany = LogLimit.once();

    /** Written under the lock of this. */
    private volatile OwnMember own;

    private volatile KnownMembers known = KnownMembers.NONE;

    /**
     * Creates a membership that is not requested yet.
     *
     * @param own the description of this process
     */
    public Membership(OwnMember own, MemberStore store, EngineContext context) {
        Duration lease = own.lease();
        this.own = own;
        this.expiresAfter = expiry(lease);
        this.schedule = new BeatSchedule(lease.toNanos());
        this.copy = new RosterCopy(own.instance(), expiresAfter.toNanos());
        this.store = store;
        this.conversation = context.conversation();
        this.loop = context.loop();
        this.clock = context.clock();
        this.callbacks = context.callbacks();
        this.listeners = new MemberListeners(callbacks);
    }

    /** Returns how long a process is a member after a beat. */
    public static Duration expiry(Duration lease) {
        return lease.multipliedBy(5).dividedBy(2);
    }

    /** Adds a listener of the engine. Called before the membership is requested. */
    public void addLifecycleListener(LifecycleListener listener) {
        lifecycleListeners.add(listener);
    }

    /** Returns the members for readers. On any thread. */
    public KnownMembers known() {
        return known;
    }

    /** Returns the description of this process. On any thread. */
    public OwnMember own() {
        return own;
    }

    /**
     * Makes this process a member from now on whenever its elections run. On any thread.
     *
     * @throws IllegalArgumentException if the description of the process is too long
     */
    public void request() {
        if (!isRequested) {
            own.checked();
            isRequested = true;
            loop.offer(() -> {
                if (isStarted && !isRunning) {
                    conversation.ask(this::join);
                }
            });
        }
    }

    @Override
    public void start(Identity identity) {
        duplicates.leave(own.instance());
        changeOwn(before -> OwnMember.of(identity, clock.wall(), before.lease(), before.settings(), before.standing()));
        copy = copy.restarted(identity.instance());
        known = KnownMembers.NONE;
        joinedAt = null;
        isStarted = true;
        isRegistered = false;
    }

    /** Adds the next beat, or registers this process with its first one if the membership is requested. */
    @Override
    public void join(Batch batch) {
        if (isRegistered) {
            if (isRunning && schedule.mayJoin(batch.now().nanos())) {
                beat(batch);
            }
        } else if (isStarted && isRequested) {
            register(batch);
        }
    }

    /** Sends the first beat of this start. The former instance may not have left yet. */
    private void register(Batch batch) {
        isRegistered = true;
        if (!isRunning) {
            isRunning = true;
            notifyLifecycleListeners(LifecycleListener::joined);
        }
        if (subscription == null) {
            subscribe();
        }
        beat(batch);
    }

    private void subscribe() {
        try {
            subscription = store.listen(news -> loop.offerHere(() -> hear(news)));
        } catch (Throwable failure) {
            log.error(
                    "Failed to subscribe to the news of members. This node notices changes with its next heartbeat",
                    failure);
        }
    }

    /** Orders a node to lead nothing. On any thread. */
    public CompletionStage<DrainOutcome> drain(Drain drain) {
        return order((batch, taker) -> batch.add(
                new BeatRequest(
                        DrainMark.instance(drain.node()), DrainMark.write(drain), DrainMark.LASTS, copy.version()),
                taker::accept));
    }

    /** Revokes the order to drain a node. On any thread. */
    public CompletionStage<DrainOutcome> activate(String node) {
        return order((batch, taker) -> {
            CompletionStage<Void> unused = store.leave(DrainMark.instance(node)).thenAccept(taker);
        });
    }

    /** Sends an order. Completes when a beat after the store's answer has confirmed it, so that this process sees its own order. */
    private CompletionStage<DrainOutcome> order(BiConsumer<Batch, Consumer<Object>> order) {
        CompletableFuture<DrainOutcome> done = new CompletableFuture<>();
        boolean isTaken = loop.offer(() -> conversation.ask(batch -> {
            if (isRunning) {
                order.accept(batch, reply -> loop.offerHere(() -> ordered(reply, done)));
            } else {
                done.completeAsync(() -> DrainOutcome.NOT_A_MEMBER, callbacks);
            }
        }));
        if (!isTaken) {
            done.complete(DrainOutcome.NOT_A_MEMBER);
        }
        return done.completeOnTimeout(DrainOutcome.UNCONFIRMED, ORDER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void ordered(Object reply, CompletableFuture<DrainOutcome> done) {
        if (reply instanceof NoAnswer || !isRunning) {
            done.completeAsync(() -> DrainOutcome.UNCONFIRMED, callbacks);
            return;
        }
        orders.add(new Ordered(clock.nanos(), done));
        schedule.changed(clock.nanos());
        setAlarm();
    }

    private void confirmOrders(long sentAt) {
        List<Ordered> confirmed =
                orders.stream().filter(order -> sentAt - order.at() >= 0).toList();
        orders.removeAll(confirmed);
        confirmed.forEach(order -> order.done().completeAsync(() -> DrainOutcome.STORED, callbacks));
    }

    /** @param at when the store accepted the order */
    private record Ordered(long at, CompletableFuture<DrainOutcome> done) {}

    /** Ends the membership of an instance. Completes when the store has answered, after a second at most. On any thread. */
    @Override
    public CompletionStage<LeaveReply> leave(String instance) {
        CompletableFuture<LeaveReply> left = new CompletableFuture<>();
        boolean isTaken = loop.offerHere(() -> {
            if (own.instance().equals(instance)) {
                isStarted = false;
                if (!isRunning) {
                    left.complete(new LeaveReply.Left());
                    return;
                }
                stop();
            }
            CompletionStage<?> unused = store.leave(instance).thenAccept(left::complete);
        });
        if (!isTaken) {
            left.complete(new LeaveReply.Left());
        }
        return left.completeOnTimeout(new LeaveReply.Left(), LEAVE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void stop() {
        isRunning = false;
        notifyLifecycleListeners(LifecycleListener::left);
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
    }

    @Override
    public void roleChanged(String election, Role present) {
        MemberRole role = roleOfMember(present);
        if (own.roles().get(election) != role) {
            changeOwn(before -> before.in(election, role));
            changed();
        }
    }

    private static @Nullable MemberRole roleOfMember(Role role) {
        return switch (role) {
            case LEADER -> MemberRole.LEADER;
            case FOLLOWER -> MemberRole.CANDIDATE;
            case OBSERVER -> MemberRole.OBSERVER;
            case COOLING_DOWN, STOPPED -> null;
        };
    }

    /** Sets the health of this process. */
    public void reportHealth(Optional<Downtime> downtime, Map<String, Instant> upDespite) {
        OwnMember before = own;
        changeOwn(present -> present.ofHealth(downtime, upDespite));
        if (!before.standing().equals(own.standing())) {
            changed();
        }
    }

    /**
     * Changes the description of this process. On any thread.
     *
     * @throws IllegalArgumentException if the description gets too long
     */
    public void change(UnaryOperator<MemberSettings> change) {
        OwnMember before = own;
        changeOwn(present -> present.with(change.apply(present.settings())));
        if (!before.settings().equals(own.settings())) {
            loop.offer(this::changed);
        }
    }

    private synchronized void changeOwn(UnaryOperator<OwnMember> change) {
        own = change.apply(own);
    }

    private void changed() {
        known = known.describing(own);
        schedule.changed(clock.nanos());
        setAlarm();
    }

    private void beat(Batch batch) {
        long now = batch.now().nanos();
        OwnMember self = own;
        BeatRequest request = new BeatRequest(
                self.instance(), MemberText.writeWithRoles(self.member()), expiresAfter, copy.version());
        schedule.sent(now);
        batch.add(request, reply -> loop.offerHere(() -> take(request, now, reply)));
        batch.afterwards(this::setAlarm);
    }

    private void take(BeatRequest request, long sentAt, BeatReply reply) {
        if (!isRunning || !request.instance().equals(own.instance())) {
            return;
        }
        long now = clock.nanos();
        boolean hasMore = false;
        if (reply instanceof Beaten beaten) {
            joinedAt = joinedAt == null ? Long.valueOf(now) : joinedAt;
            known = known.reachable(true);
            if (copy.awaits(request.known(), sentAt)) {
                copy.take(beaten, sentAt, now);
                hasMore = beaten.hasMore();
                known = hasMore ? known : known.confirmed(copy.confirmed(), copy.drains(), sentAt);
                show();
                lookForProblems(sentAt);
                if (!hasMore) {
                    confirmOrders(sentAt);
                }
            }
        } else {
            known = known.reachable(false);
        }
        seen();
        if (schedule.awaits(sentAt)) {
            plan(reply, hasMore, now);
        }
        tellOfProblem(reply);
    }

    private void plan(BeatReply reply, boolean hasMore, long now) {
        if (!(reply instanceof Beaten)) {
            schedule.failed(now);
        } else if (hasMore) {
            schedule.unfinished(now);
        } else {
            schedule.answered();
        }
        setAlarm();
    }

    private void hear(MemberNews news) {
        if (!isRunning) {
            return;
        }
        long now = clock.nanos();
        boolean isLacking = true;
        if (news instanceof MemberNews.Changed changed) {
            isLacking = copy.hear(changed, now);
            show();
            seen();
        }
        if (isLacking) {
            askSoon(now);
        }
    }

    /** Sends a beat soon, for a caller that needs an answer of the store. On any thread. */
    public void askSoon() {
        loop.offer(() -> {
            if (isRunning) {
                askSoon(clock.nanos());
            }
        });
    }

    /** Sends a beat at once, for a part of the engine that needs the members as they are now. */
    public void confirmSoon() {
        if (isRunning) {
            schedule.changed(clock.nanos());
            setAlarm();
        }
    }

    private void askSoon(long now) {
        schedule.lacking(now, Math.floorMod(own.instance().hashCode(), 1000) / 1000.0);
        setAlarm();
    }

    /** Replaces the alarm. The former one stays set if a new one can't be created. */
    private void setAlarm() {
        if (isRunning) {
            Loop.Alarm former = alarm;
            alarm = loop.alarm(schedule.dueAt(), this::ring);
            if (former != null) {
                former.cancel();
            }
        }
    }

    private void ring() {
        conversation.ask(batch -> {
            if (isRunning && batch.now().nanos() - schedule.dueAt() >= 0) {
                beat(batch);
            }
        });
    }

    private void show() {
        List<MemberEvent> events = copy.show(clock.nanos());
        if (events.isEmpty()) {
            return;
        }
        known = known.with(copy.shown()).describing(own);
        listeners.tell(events);
        if (known.members().size() > store.mostMembers() && tooMany.begins(this)) {
            log.warn(
                    "There are {} members, but this store is meant for up to {}: their heartbeats load it. Let"
                            + " applications use a key prefix of their own, or use another store",
                    known.members().size(),
                    store.mostMembers());
        }
    }

    private void lookForProblems(long sentAt) {
        Long since = joinedAt;
        boolean hasOutlived = since != null && sentAt - since > expiresAfter.toNanos();
        copy.confirmed().stream()
                .filter(member -> member.member().instance().equals(own.instance()))
                .findAny()
                .ifPresent(self -> {
                    changeOwn(before -> before.ordered(self.member().order()));
                    duplicates.look(self, copy.confirmed(), hasOutlived);
                    otherLeases.look(own.member(), copy.confirmed());
                });
    }

    /** Logs that beats fail, unless the store answers no election either: then the elections log it. */
    private void tellOfProblem(BeatReply reply) {
        if (!(reply instanceof NoAnswer none)) {
            if (problem != null) {
                log.info("This node is registered as a member again");
            }
            problem = null;
            failingSince = null;
            return;
        }
        if (failingSince == null) {
            failingSince = clock.nanos();
        }
        if (none.problem() != problem && conversation.isAnsweredSince(failingSince)) {
            problem = none.problem();
            log.warn(
                    "This node can't register as a member: {}. Detail: {}. It tries again; elections without a"
                            + " minimum of members do not depend on it",
                    none.action(),
                    none.detail());
        }
    }

    /** Adds a listener, which is notified of all present members first. On any thread. */
    public void addListener(MemberListener listener) {
        loop.offer(() -> listeners.add(
                listener,
                KnownMembers.NONE.with(copy.shown()).describing(own).all().stream()
                        .map(MemberJoined::new)
                        .toList()));
    }

    /** Removes a listener. On any thread. */
    public void removeListener(MemberListener listener) {
        listeners.remove(listener);
        // Once more after an addition that may be queued on the loop.
        loop.offer(() -> listeners.remove(listener));
    }

    private void seen() {
        changes.wake();
        notifyLifecycleListeners(LifecycleListener::seen);
    }

    /** Waits until there is a complete copy with so many members. Returns whether there is. On any thread. */
    public boolean await(int count, Duration timeout) throws InterruptedException {
        return changes.await(() -> known.isComplete() && known.members().size() >= count, timeout);
    }

    private void notifyLifecycleListeners(Consumer<LifecycleListener> news) {
        lifecycleListeners.forEach(news);
    }

    /** A part of the engine that is notified of changes of the membership. Called on the loop. */
    public interface LifecycleListener {

        /** This process begins to send heartbeats. */
        default void joined() {}

        /** A beat has ended, or a message about a member has arrived. */
        void seen();

        /** This process is no member any more. */
        void left();
    }
}
