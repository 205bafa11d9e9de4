package dev.election.internal.election;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationReport;
import dev.election.AbdicationRequest;
import dev.election.AssignedRole;
import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeaderWork;
import dev.election.LeadershipListener;
import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.abdication.Pauses;
import dev.election.internal.abdication.RemoteAbdications;
import dev.election.internal.protocol.Attempt;
import dev.election.internal.protocol.Effect;
import dev.election.internal.protocol.EventBounds;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.protocol.Input;
import dev.election.internal.protocol.Now;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.Self;
import dev.election.internal.protocol.State;
import dev.election.internal.protocol.State.Draining;
import dev.election.internal.protocol.State.Leading;
import dev.election.internal.protocol.Step;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.requests.Batch;
import dev.election.internal.requests.Conversation;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.threads.ListenerDispatcher;
import dev.election.store.AnnounceReply;
import dev.election.store.CampaignReply;
import dev.election.store.LeaseStore;
import dev.election.store.NodeMessage;
import dev.election.store.StoreEvent;
import dev.election.support.LogLimit;
import dev.election.support.OneLine;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the protocol of one election: feeds it inputs, publishes its state, and carries out its effects. Used on the loop only, unless stated
 * otherwise.
 */
public final class ElectionRunner implements Conversation.Participant {

    private static final Logger log = LoggerFactory.getLogger(ElectionRunner.class);

    private static final long PAUSE_AFTER_DEFECT = 1_000_000_000;

    private final String name;
    private final LeaseStore store;
    private final Conversation conversation;
    private final Loop loop;
    private final Clock clock;
    private final ListenerDispatcher dispatcher;

    private final OwnLeadership own;

    /** The leadership in this election first, then in those that are led with it. */
    private final List<OwnLeadership> leaderships = new ArrayList<>();

    private final OtherApplications others;
    private final RemoteAbdications remoteAbdications;
    private final RoleAssignment roles;
    private final Pauses pauses;
    private final List<CompletableFuture<AbdicationOutcome>> leavers = new ArrayList<>();
    private final LogLimit refusals = LogLimit.once();
    private Protocol protocol;

    /** The identity that this node takes as soon as its state {@linkplain State#isAtRest is at rest}. */
    private Self self;

    private EventBounds eventBounds;
    private State state = Protocol.initial();
    private Loop.@Nullable Alarm alarm;
    private long alarmAt;
    private boolean alarmHasRung;

    /** When the store last answered a request, {@code null} if it never did. */
    private @Nullable Long answeredAt;

    /** Written on the loop only. */
    private volatile long leaderExpiry;

    private LeaseStore.@Nullable Subscription subscription;

    /** The elections of which this node leads one at most, this one included; empty if it may lead them all. */
    private Collection<ElectionRunner> alternatives = List.of();

    /** Whether this election keeps this node from leading another of these. */
    private boolean isBusy;

    /** Whether the pause that this node makes, or will make, is one of {@link #giveUp}. */
    private boolean hasGivenUp;

    ElectionRunner(
            Protocol protocol,
            RoleAssignment roles,
            ListenerDispatcher dispatcher,
            Recoveries recoveries,
            EngineContext context,
            Callers callers) {
        this.name = protocol.self().election();
        this.protocol = protocol;
        this.self = protocol.self();
        this.eventBounds = protocol.eventBounds();
        this.store = context.store();
        this.conversation = context.conversation();
        this.loop = context.loop();
        this.clock = context.clock();
        this.dispatcher = dispatcher;
        this.roles = roles;
        this.own = new OwnLeadership(name, this, callers, dispatcher, recoveries, context);
        leaderships.add(own);
        this.pauses = new Pauses(protocol.timings().lease());
        this.others = new OtherApplications(
                protocol.self(), protocol.timings(), clock, event -> dispatcher.tell(List.of(event)));
        this.remoteAbdications = new RemoteAbdications(name, context, this::isOwn, this::heed, dispatcher);
    }

    /** Returns the name of the election. On any thread. */
    public String name() {
        return name;
    }

    /** Returns the leadership in this election. On any thread. */
    OwnLeadership leadership() {
        return own;
    }

    /** Adds an election that is led with this one. */
    void lead(OwnLeadership together) {
        leaderships.add(together);
        together.see(heldLease());
        together.publish(state, roles.isWaiting(state));
        HeldLease held = heldLease();
        if (held != null) {
            together.join(held);
        }
    }

    /** Takes part in the election. If a stop is still under way, the lease is released under the former identity. */
    void start(Identity identity, Batch batch) {
        self = identity.in(name);
        subscribe();
        begin(batch);
    }

    private void subscribe() {
        if (subscription == null) {
            try {
                subscription = store.listen(name, event -> onLoop(() -> hear(event)));
            } catch (Throwable failure) {
                log.error(
                        "Failed to subscribe to the messages of election '{}'. The election continues, but this node"
                                + " notices changes of leader up to a lease later, and gets no requests to abdicate."
                                + " Restart it",
                        name,
                        failure);
            }
        }
    }

    private void begin(Batch batch) {
        Input input = roles.begin(state);
        if (input != null) {
            // A former stop that was under way at the start has ended the subscription if this election was held.
            subscribe();
            feed(input, batch);
        }
    }

    /** Takes no part until {@link #release} or {@link #steer} ends that. A node that takes part already stops. */
    public void hold(Hold reason) {
        roles.hold(reason);
        if (roles.takesPart() && !(state instanceof State.Stopped)) {
            feed(new Input.Stop());
        }
    }

    /** Takes part again, unless there is another reason not to. */
    public void release(Hold reason, Batch batch) {
        if (roles.release(reason) && roles.takesPart()) {
            begin(batch);
        }
    }

    /**
     * Follows an order to drain this node, and ends the wait for it.
     *
     * @param drainedBy the requester of the order, {@code null} if there is none
     */
    public void steer(@Nullable String drainedBy, Batch batch) {
        if (roles.steer(drainedBy) && roles.takesPart()) {
            begin(batch);
        }
    }

    /** Lets this node be a candidate that does not campaign, until {@link #campaign}. Before it takes part. */
    public void awaitMembers() {
        roles.awaitMembers(true);
    }

    /** Ends the wait for members. */
    public void campaign(Batch batch) {
        roles.awaitMembers(false);
        if (roles.takesPart() && !roles.isHeld()) {
            begin(batch);
        }
    }

    /**
     * Lets this node lead only one of these elections at a time, and observe the others meanwhile: also while work of an earlier leadership goes on,
     * and in a pause after it has given one up. Before they take part.
     */
    public void leadOneOf(Collection<ElectionRunner> elections) {
        alternatives = elections;
    }

    /** Whether this is one of several elections of which this node leads one at most, so that some may have no leader. */
    public boolean isOneOfSeveral() {
        return !alternatives.isEmpty();
    }

    /** Returns the elections of which this node leads one at most, this one included; empty if it may lead them all. */
    public Collection<String> alternatives() {
        return alternatives.stream().map(ElectionRunner::name).toList();
    }

    private boolean leadsAnother() {
        return alternatives.stream().anyMatch(other -> !other.equals(this) && other.isBusy);
    }

    /** Notes whether this election keeps this node from others, and lets them look if that is a change. */
    private void lookIfBusy() {
        hasGivenUp &= heldLease() != null || state instanceof State.Releasing || state instanceof State.CoolingDown;
        boolean isBusyNow = heldLease() != null || !isClosedAndIdle() || hasGivenUp;
        if (isBusy != isBusyNow) {
            isBusy = isBusyNow;
            alternatives.forEach(other -> loop.offer(other::lookAtOthers));
        }
    }

    private void lookAtOthers() {
        if (roles.leadAnother(leadsAnother()) && roles.takesPart() && !roles.isHeld()) {
            conversation.ask(this::begin);
        }
    }

    /** Abdicates since this node can't do the work of the leader, and does not campaign for a pause that grows each time. */
    CompletionStage<AbdicationOutcome> giveUp(String reason) {
        CompletableFuture<AbdicationOutcome> left = new CompletableFuture<>();
        HeldLease held = heldLease();
        if (held == null) {
            left.complete(AbdicationOutcome.NOT_LEADER);
        } else {
            // A node that does not come back has no pause.
            Duration pause =
                    state instanceof Draining draining && !draining.departure().isToReturn()
                            ? Duration.ZERO
                            : pauses.after(held.token(), Duration.ofNanos(clock.nanos() - held.begun()));
            hasGivenUp = !pause.isZero();
            Input request = new Input.Abdicate(new Abdication(null, pause, null, Duration.ZERO, reason));
            leave(request, left);
        }
        return left;
    }

    /** Gives leadership up since a listener to its beginning has thrown. */
    void failedStart(FencingToken token, Throwable failure) {
        HeldLease held = heldLease();
        if (held != null && held.token().equals(token)) {
            CompletionStage<AbdicationOutcome> unused = giveUp("a listener to its beginning has thrown " + failure);
        }
    }

    /** Hands leadership over, but keeps it if the running work takes longer than the drain time. */
    public void handOver(Abdication how) {
        feed(new Input.HandOver(how));
    }

    /** Returns the leadership of this node while it admits work, {@code null} otherwise. */
    @Nullable
    public HeldLease tenure() {
        return state instanceof Leading leading && leaderships.stream().noneMatch(OwnLeadership::isRecovering)
                ? leading.heldLease()
                : null;
    }

    public Duration lease() {
        return protocol.timings().lease();
    }

    /** Returns how long running work may keep this node from handing over. */
    public Duration drain() {
        return Duration.ofNanos(protocol.timings().drain());
    }

    /** Takes the place of this node in the order of succession. */
    public void place(OptionalInt place) {
        if (!state.knowledge().place().equals(place)) {
            feed(new Input.Placed(place));
        }
    }

    /** Assigns a role. The future is completed when this node has it. */
    void setRole(AssignedRole role, CompletableFuture<Void> changed, Batch batch) {
        roles.assign(role, changed);
        if (roles.takesPart() && !roles.isHeld()) {
            begin(batch);
        } else {
            seeRole();
        }
    }

    private void seeRole() {
        roles.see(state, changed -> leaderships.forEach(leadership -> leadership.tell(changed)));
    }

    @Override
    public void join(Batch batch, boolean leaders) {
        boolean isLike = leaders == (heldLease() != null);
        OptionalLong joinAt = isLike ? protocol.joinAt(state) : OptionalLong.empty();
        if (joinAt.isPresent() && batch.now().nanos() - joinAt.getAsLong() >= 0) {
            feed(new Input.JoinBatch(batch.isPlanned(), batch.renews()), batch);
        }
    }

    @Override
    public boolean hasAsked() {
        return state.knowledge().attempts() > 0;
    }

    @Override
    public boolean isAnsweredSince(long time) {
        return answeredAt != null && answeredAt - time >= 0;
    }

    /** Feeds an input to stop or abdicate. The future is completed when the node has left. */
    void leave(Input request, CompletableFuture<AbdicationOutcome> left) {
        expect(request, left);
        feed(request);
    }

    /** Does what {@link #leave(Input, CompletableFuture)} does, together with other elections. */
    void leave(Input request, CompletableFuture<AbdicationOutcome> left, Batch batch) {
        expect(request, left);
        feed(request, batch);
    }

    private void expect(Input request, CompletableFuture<AbdicationOutcome> left) {
        if (request instanceof Input.Stop) {
            roles.end();
        }
        leavers.add(left);
    }

    /** Asks the leader to abdicate. This node need not be a candidate. */
    void requestAbdication(
            AbdicationRequest request, @Nullable Leader known, CompletableFuture<AbdicationReport> report) {
        String requester = request.how().requestedBy();
        String at = " at " + self.node();
        // The node is known for sure, so a long requester is cut and not the node.
        String by = requester == null
                ? self.node()
                : OneLine.shown(requester, Abdication.LONGEST_REQUESTER - at.length()) + at;
        remoteAbdications.begin(request.by(by), known, report);
    }

    void welcome(OwnLeadership leadership, LeadershipListener listener) {
        leadership.welcome(listener, heldLease());
    }

    /** Continues a departure if no admitted work runs any more. */
    void checkDrained() {
        if (isClosedAndIdle()) {
            feed(new Input.Drained());
        }
    }

    /** Whether no work runs in any of the elections that have this lease. */
    private boolean isClosedAndIdle() {
        return leaderships.stream().allMatch(OwnLeadership::isClosedAndIdle);
    }

    private void hear(StoreEvent event) {
        String objection = eventBounds.objection(event, clock.wall());
        if (objection != null) {
            refuse(event, objection);
            return;
        }
        if (event instanceof StoreEvent.Connected) {
            conversation.askSoon(batch -> feed(new Input.Heard(event), batch));
        } else {
            heed(event);
        }
        remoteAbdications.hearAll(event);
    }

    /** Feeds an event to the protocol. A message between nodes is an input only if it requests an abdication. */
    private void heed(StoreEvent event) {
        if (!(event instanceof StoreEvent.Received received)) {
            feed(new Input.Heard(event));
        } else if (received.message() instanceof NodeMessage.AbdicationRequested asked) {
            feed(new Input.Asked(asked));
        }
    }

    /** Logs an invalid event once for each kind, since its sender can send a million of them. */
    private void refuse(StoreEvent event, String objection) {
        Class<?> kind = kind(event);
        if (refusals.begins(kind)) {
            log.warn(
                    "Ignored an invalid message ({}) for election '{}': {}. Check which clients may publish on its"
                            + " channel, and the clocks of this host and of the store. Further messages of this kind are"
                            + " not logged",
                    kind.getSimpleName(),
                    name,
                    objection);
        }
    }

    private static Class<?> kind(StoreEvent event) {
        if (event instanceof StoreEvent.Received received) {
            return received.message().getClass();
        }
        return event instanceof StoreEvent.Invalid invalid ? invalid.kind() : event.getClass();
    }

    private boolean isOwn(FencingToken token) {
        HeldLease heldLease = state instanceof State.Releasing releasing ? releasing.heldLease() : heldLease();
        return heldLease != null && heldLease.token().equals(token);
    }

    /** Returns the leadership of this node, also while it recovers or drains, {@code null} if it does not lead. */
    public @Nullable HeldLease heldLease() {
        if (state instanceof Leading leading) {
            return leading.heldLease();
        }
        return state instanceof Draining draining ? draining.heldLease() : null;
    }

    private void post(Input input) {
        onLoop(() -> feed(input));
    }

    /** Handles a reply or event of the store, on the thread of the store if the loop is idle. */
    private void onLoop(Runnable task) {
        loop.offerHere(task);
    }

    private void feed(Input input) {
        conversation.ask(batch -> feed(input, batch));
    }

    /** Requests are sent before listeners are notified, which would delay a release or a campaign. */
    private void feed(Input input, Batch batch) {
        orContinueLater(input, () -> {
            eventBounds = eventBounds.after(input);
            boolean wasDraining = state instanceof Draining;
            List<Effect> effects = new ArrayList<>();
            if (beginsSecond(input, batch.now())) {
                // A candidacy that has ended gives its grant back, before any work.
                boolean unused = roles.leadAnother(true);
                effects.addAll(take(new Input.Observe(), batch.now()));
            }
            effects.addAll(take(input, batch.now()));
            if (state instanceof Draining && !wasDraining && isClosedAndIdle()) {
                effects.addAll(take(new Input.Drained(), batch.now()));
            }
            effects.forEach(effect -> request(effect, batch));
            if (input instanceof Input.Wake && state.knowledge().failures() == 0) {
                batch.becomePlanned();
            }
            batch.afterwards(() -> orContinueLater(input, () -> {
                tell(effects);
                seeRole();
                setAlarm();
                others.see(input);
                remoteAbdications.see(state.knowledge().leader());
            }));
        });
    }

    /** Whether this node leads another election already when it is granted one of several that it has asked for, or when a cooldown ends. */
    private boolean beginsSecond(Input input, Now now) {
        boolean isGranted = state instanceof State.Following
                && input instanceof Input.Campaigned campaigned
                && campaigned.reply() instanceof CampaignReply.Granted;
        boolean isCool = input instanceof Input.Wake
                && state instanceof State.CoolingDown coolingDown
                && now.nanos() - coolingDown.until() >= 0;
        return (isGranted || isCool) && leadsAnother();
    }

    private void orContinueLater(Input input, Runnable task) {
        try {
            task.run();
        } catch (Throwable defect) {
            // Before the log, which may fail, too.
            resetAlarm(clock.nanos() + PAUSE_AFTER_DEFECT);
            log.error(
                    "Internal error in election '{}' while handling {} in state {}. The election continues in 1 s",
                    name,
                    ReadableDuration.allIn(input),
                    ReadableDuration.allIn(state),
                    defect);
        }
    }

    /** Takes one step and returns its effects. The state is published before: readers must not see this node lead after its release was sent. */
    private List<Effect> take(Input input, Now now) {
        if (state.isAtRest() && !self.equals(protocol.self())) {
            protocol = protocol.as(self);
        }
        if (input.isAnswer()) {
            answeredAt = now.nanos();
        }
        Step step = protocol.step(state, input, now);
        state = step.state();
        leaderExpiry = state.knowledge().leaderExpiry();
        leaderships.forEach(leadership -> leadership.see(heldLease()));
        publish();
        if (isOneOfSeveral()) {
            lookIfBusy();
        }
        return step.effects();
    }

    /** Returns when the lease of another leader ends unless renewed. On any thread. No part of the snapshot, since it changes often. */
    long leaderExpiry() {
        return leaderExpiry;
    }

    /** Publishes the state: who leads an election that is led with another leads that one, too, so that begins first and ends last. */
    private void publish() {
        boolean begins = heldLease() != null;
        for (int i = 0; i < leaderships.size(); i++) {
            leaderships.get(begins ? i : leaderships.size() - 1 - i).publish(state, roles.isWaiting(state));
        }
    }

    /** A recovery begins or has returned. */
    void occupied() {
        feed(new Input.Occupied(leaderships.stream().anyMatch(OwnLeadership::isOccupied)));
    }

    /** The recoveries of one election have succeeded. Returns whether this node leads and is not resigning. */
    boolean recovered() {
        publish();
        return state instanceof Leading;
    }

    private void tell(List<Effect> effects) {
        leaderships.forEach(leadership -> leadership.tell(effects));
        for (Effect effect : effects) {
            if (effect instanceof Effect.Departed departed) {
                departed(departed.outcome());
            }
        }
    }

    private void request(Effect effect, Batch batch) {
        if (effect instanceof Effect.Campaign campaign) {
            batch.add(campaign.request(), reply -> post(new Input.Campaigned(campaign.attempt(), reply)));
        } else if (effect instanceof Effect.Renew renew) {
            batch.add(renew.request(), reply -> post(new Input.Renewed(renew.attempt(), reply)));
        } else if (effect instanceof Effect.Look look) {
            store.read(name).thenAccept(reply -> post(new Input.Looked(look.attempt(), reply)));
        } else if (effect instanceof Effect.Tell tell) {
            store.messaging().ifPresent(nodes -> {
                CompletionStage<AnnounceReply> unused = nodes.announce(name, tell.message());
            });
            // A request that this node has sent to itself must be answered even if no message gets through.
            onLoop(() -> remoteAbdications.hearAll(new StoreEvent.Received(tell.message())));
        } else if (effect instanceof Effect.Release release) {
            Attempt attempt = release.attempt();
            batch.add(release.request(), reply -> {
                if (attempt != null) {
                    post(new Input.Released(attempt, reply));
                }
            });
        }
    }

    private void departed(AbdicationOutcome outcome) {
        if (state instanceof State.Stopped && subscription != null) {
            subscription.close();
            subscription = null;
        }
        List<CompletableFuture<AbdicationOutcome>> through = List.copyOf(leavers);
        leavers.clear();
        // On another thread: callers must not delay the election.
        dispatcher.elsewhere(() -> through.forEach(leaver -> leaver.complete(outcome)));
    }

    private void setAlarm() {
        OptionalLong wakeAt = protocol.wakeAt(state);
        if (wakeAt.isEmpty()) {
            cancelAlarm();
        } else if (alarm == null || alarmHasRung || alarmAt != wakeAt.getAsLong()) {
            resetAlarm(wakeAt.getAsLong());
        }
    }

    /** Replaces the alarm. The former one stays set if a new one can't be created. */
    private void resetAlarm(long at) {
        Loop.Alarm former = alarm;
        alarm = loop.alarm(at, () -> {
            alarmHasRung = true;
            feed(new Input.Wake());
        });
        alarmAt = at;
        alarmHasRung = false;
        if (former != null) {
            former.cancel();
        }
    }

    private void cancelAlarm() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    /** The side of the election that callers on any thread see. */
    interface Callers {

        /** Admits the work of callers. */
        WorkGate gate();

        /** Shows a state to callers. */
        void publish(Snapshot next);

        /** Begins the work of a recovery under that token, while nothing else is admitted. */
        LeaderWork recoveryWork(FencingToken token);
    }
}
