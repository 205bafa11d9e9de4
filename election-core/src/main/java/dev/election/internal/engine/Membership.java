package dev.election.internal.engine;

import dev.election.StoreProblem;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * This process as a member: it beats, and keeps a copy of the others, from when somebody has asked for that. On the loop, unless said.
 */
final class Membership {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private static final int LEAVE_MILLIS = 1000;

    private final MemberStore store;
    private final Duration expiresAfter;
    private final Conversation conversation;
    private final Loop loop;
    private final Clock clock;
    private final MemberListeners listeners;
    private final BeatSchedule schedule;
    private final DuplicateMembers duplicates = new DuplicateMembers();

    private RosterCopy copy;
    /** Whether the elections run. */
    private boolean isStarted;

    /** Whether this process beats. */
    private boolean isRunning;

    private volatile boolean isRequested;
    private Loop.@Nullable Alarm alarm;
    private @Nullable Subscription subscription;
    private @Nullable BeatRequest pending;

    /** When the first beat was answered. */
    private @Nullable Long joinedAt;

    private @Nullable StoreProblem problem;
    private boolean hasToldTooMany;

    /** Written under the lock of this. */
    private volatile OwnMember own;

    private volatile KnownMembers known = KnownMembers.NONE;

    /**
     * Creates it.
     *
     * @param own this process
     * @param lease on which all its times are based
     */
    Membership(
            OwnMember own,
            Duration lease,
            MemberStore store,
            Conversation conversation,
            Loop loop,
            Clock clock,
            Executor callbacks) {
        this.own = own;
        this.expiresAfter = lease.multipliedBy(5).dividedBy(2);
        this.schedule = new BeatSchedule(lease.toNanos());
        this.copy = new RosterCopy(own.instance(), expiresAfter.toNanos());
        this.store = store;
        this.conversation = conversation;
        this.loop = loop;
        this.clock = clock;
        this.listeners = new MemberListeners(callbacks);
    }

    /** What readers see. On any thread. */
    KnownMembers known() {
        return known;
    }

    /** This process. On any thread. */
    OwnMember own() {
        return own;
    }

    /**
     * Somebody asks for the members: this process is one whenever its elections run. On any thread.
     *
     * @throws IllegalArgumentException if the process says too much of itself
     */
    void request() {
        if (!isRequested) {
            own.checked();
            isRequested = true;
            later(() -> {
                if (isStarted && !isRunning) {
                    conversation.ask(this::register);
                }
            });
        }
    }

    /** On any thread. */
    boolean isRequested() {
        return isRequested;
    }

    /** This process is that instance from here on. Before its elections start. */
    void start(Identity identity) {
        duplicates.leave(own.instance());
        changeOwn(before -> OwnMember.of(identity, clock.wall(), before.settings()));
        copy = new RosterCopy(identity.instance(), expiresAfter.toNanos());
        known = KnownMembers.NONE;
        joinedAt = null;
        isStarted = true;
    }

    /** Registers it with a batch, if somebody has asked for the members. */
    void register(Batch batch) {
        if (isRequested) {
            isRunning = true;
            if (subscription == null) {
                subscribe();
            }
            beat(batch);
        }
    }

    private void subscribe() {
        try {
            subscription = store.listen(news -> onLoop(() -> hear(news)));
        } catch (Throwable failure) {
            log.error(
                    "Failed to subscribe to the news of members. This node notices changes with its next heartbeat",
                    failure);
        }
    }

    /** Ends the membership of that instance. On any thread. Completes when the store was told, or soon. */
    CompletionStage<LeaveReply> leave(String instance) {
        CompletableFuture<LeaveReply> left = new CompletableFuture<>();
        try {
            loop.executeHere(() -> {
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
        } catch (RejectedExecutionException closed) {
            left.complete(new LeaveReply.Left());
        }
        return left.completeOnTimeout(new LeaveReply.Left(), LEAVE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void stop() {
        isRunning = false;
        pending = null;
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        if (subscription != null) {
            subscription.close();
            subscription = null;
        }
    }

    /** This process has that role in an election from here on, {@code null} for none. */
    void play(String election, @Nullable MemberRole role) {
        if (own.roles().get(election) != role) {
            changeOwn(before -> before.in(election, role));
            changed();
        }
    }

    /**
     * Changes what this process says of itself. On any thread.
     *
     * @throws IllegalArgumentException if that is too much
     */
    void change(UnaryOperator<MemberSettings> change) {
        OwnMember before = own;
        changeOwn(present -> present.with(change.apply(present.settings())));
        if (!before.settings().equals(own.settings())) {
            later(this::changed);
        }
    }

    private synchronized void changeOwn(UnaryOperator<OwnMember> change) {
        own = change.apply(own);
    }

    private void changed() {
        schedule.changed(clock.nanos());
        setAlarm();
    }

    /** Joins a batch that is about to be sent. */
    void join(Batch batch) {
        if (isRunning && schedule.mayJoin(batch.now().nanos())) {
            beat(batch);
        }
    }

    private void beat(Batch batch) {
        long now = batch.now().nanos();
        OwnMember self = own;
        BeatRequest request = new BeatRequest(
                self.instance(), MemberText.writeWithRoles(self.member()), expiresAfter, copy.version());
        pending = request;
        schedule.sent(now);
        batch.add(request, reply -> onLoop(() -> take(request, now, reply)));
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
            // Of two that asked for the same changes one counts.
            if (request.known().equals(copy.version())) {
                copy.take(beaten, sentAt, now);
                hasMore = beaten.hasMore();
                known = hasMore ? known : known.confirmed(sentAt);
                show();
                lookForDuplicates(sentAt);
            }
        } else {
            known = known.reachable(false);
        }
        if (request.equals(pending)) {
            plan(reply, hasMore, now);
        }
        tellOfProblem(reply);
    }

    private void plan(BeatReply reply, boolean hasMore, long now) {
        pending = null;
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
        }
        if (isLacking) {
            schedule.lacking(now, Math.floorMod(own.instance().hashCode(), 1000) / 1000.0);
            setAlarm();
        }
    }

    /** The former alarm stays set if a new one can't be created. */
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
        known = known.with(copy.shown());
        listeners.tell(events);
        if (known.members().size() > store.mostMembers() && !hasToldTooMany) {
            hasToldTooMany = true;
            log.warn(
                    "There are {} members, but this store is meant for up to {}: their heartbeats load it. Let"
                            + " applications use a key prefix of their own, or use another store",
                    known.members().size(),
                    store.mostMembers());
        }
    }

    private void lookForDuplicates(long sentAt) {
        Long since = joinedAt;
        boolean hasOutlived = since != null && sentAt - since > expiresAfter.toNanos();
        copy.confirmed().stream()
                .filter(member -> member.member().instance().equals(own.instance()))
                .findAny()
                .ifPresent(self -> {
                    changeOwn(before -> before.ordered(self.member().order()));
                    duplicates.look(self, copy.confirmed(), hasOutlived);
                });
    }

    private void tellOfProblem(BeatReply reply) {
        StoreProblem present = reply instanceof NoAnswer none ? none.problem() : null;
        if (present == problem) {
            return;
        }
        problem = present;
        if (reply instanceof NoAnswer none) {
            log.warn(
                    "This node can't register as a member: {}. Detail: {}. It tries again, and the elections do not"
                            + " depend on it",
                    none.action(),
                    none.detail());
        } else {
            log.info("This node is registered as a member again");
        }
    }

    /** On any thread. */
    void addListener(MemberListener listener) {
        later(() -> listeners.add(
                listener, known.all().stream().map(MemberJoined::new).toList()));
    }

    /** On any thread. */
    void removeListener(MemberListener listener) {
        listeners.remove(listener);
        // Once more behind an addition that may still be on its way.
        later(() -> listeners.remove(listener));
    }

    /** Takes what the store says, on its thread. */
    private void onLoop(Runnable task) {
        try {
            loop.executeHere(task);
        } catch (RejectedExecutionException closed) {
            log.trace("The engine is closed", closed);
        }
    }

    private void later(Runnable task) {
        try {
            loop.execute(task);
        } catch (RejectedExecutionException closed) {
            log.trace("The engine is closed", closed);
        }
    }
}
