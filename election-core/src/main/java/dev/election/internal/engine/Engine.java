package dev.election.internal.engine;

import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.LeaderRecovery;
import dev.election.LeadershipListener;
import dev.election.NodeInfo;
import dev.election.Role;
import dev.election.Steering;
import dev.election.Timing;
import dev.election.internal.protocol.EventBounds;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.members.MemberRole;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.members.NodeMessages;
import dev.election.store.LeaseStore;
import dev.election.store.MemberStore;
import dev.election.store.StoreTraits;
import dev.election.support.DelayedThreads;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The elections of a process: creates them, and starts and stops all of them together. */
public final class Engine implements ElectionEngine {

    /** Time for a process without an election to leave the members. */
    private static final Duration LONGEST_LEAVE = Duration.ofSeconds(1);

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private static final String MEMBERS = "members";

    private final Supplier<Identity> identities;
    private final LeaseStore store;
    private final Timings timings;
    private final Roles roles;
    private final Clock clock;
    private final Loop loop;
    private final Executor callbacks;
    private final Runnable shutdown;
    private final AnsweringStore answering;
    private final Conversation conversation;
    private final @Nullable Membership membership;
    private final @Nullable LocalMessages messages;
    private final Steering preferences;
    private final @Nullable SteeredElections steered;
    private final Recoveries recoveries;
    private final TransitionLog transitions;
    private final Map<String, LocalElection> elections = new ConcurrentSkipListMap<>();

    /** The derived durations of each timing. Guarded by this. */
    private final Map<Timing, ProtocolTimings> protocolTimings = new HashMap<>();

    /** Guarded by this. */
    private final List<LeadershipListener> listeners = new ArrayList<>();

    /** The identity of this process, which changes with each start. Written under the lock of this. */
    private volatile Identity identity;

    /** Whether the engine was started. Guarded by this, so that an election that is joined meanwhile is started exactly once. */
    private boolean running;

    /** Whether the elections were started, which follows the preparation of the store. Guarded by this. */
    private boolean begun;

    Engine(
            Supplier<Identity> identities,
            LeaseStore store,
            Timings timings,
            Roles roles,
            Clock clock,
            Loop loop,
            Executor callbacks,
            Runnable shutdown) {
        this(identities, store, timings, roles, null, null, TakeOver.DEFAULT, clock, loop, callbacks, shutdown);
    }

    Engine(
            Supplier<Identity> identities,
            LeaseStore store,
            Timings timings,
            Roles roles,
            @Nullable MemberSettings asMember,
            @Nullable Steering steering,
            TakeOver takeOver,
            Clock clock,
            Loop loop,
            Executor callbacks,
            Runnable shutdown) {
        timings.requireLongEnough(store.traits());
        this.identities = identities;
        this.identity = identities.get();
        this.store = store;
        this.timings = timings;
        this.roles = roles;
        this.recoveries = new Recoveries(takeOver);
        this.clock = clock;
        this.loop = loop;
        this.callbacks = callbacks;
        this.shutdown = shutdown;
        this.answering = new AnsweringStore(store);
        this.conversation = new Conversation(answering, clock, loop);
        this.membership = asMember == null
                ? null
                : answering
                        .memberStore()
                        .map(members -> membership(asMember, members, steering))
                        .orElse(null);
        this.preferences = steering == null ? Steering.none() : steering;
        this.steered = steering == null ? null : steered(steering, membership);
        this.messages = membership == null ? null : messages(membership);
        this.transitions = new TransitionLog(
                this::node,
                store.location(),
                store.traits().separatedBy(),
                elections::size,
                new DelayedThreads("election-log").after(Duration.ofSeconds(1)));
        listeners.add(transitions);
    }

    /**
     * Creates an engine that is not started yet.
     *
     * @param nodes describes this process, at each start
     * @param asMember the description of this process for other members; {@code null} if it is no member
     * @param steering the preferences among the members; {@code null} without steering
     * @param loop where the elections decide; {@code null} for a thread of the engine
     * @param callbacks where listeners run; {@code null} for threads of the engine
     */
    public static Engine of(
            Supplier<NodeInfo> nodes,
            LeaseStore store,
            Timings timings,
            Roles roles,
            @Nullable MemberSettings asMember,
            @Nullable Steering steering,
            TakeOver takeOver,
            Clock clock,
            @Nullable Loop loop,
            @Nullable Executor callbacks) {
        ElectionThread thread = new ElectionThread(clock);
        CallbackThreads own = new CallbackThreads();
        return new Engine(
                () -> Identity.drawn(nodes.get()),
                store,
                timings,
                roles,
                asMember,
                steering,
                takeOver,
                clock,
                loop == null ? thread : loop,
                callbacks == null ? own : callbacks,
                () -> {
                    thread.shutdown();
                    own.finish();
                });
    }

    private SteeredElections steered(Steering steering, @Nullable Membership joined) {
        if (joined == null) {
            throw new IllegalArgumentException(
                    "Steering needs the members: describe this process as one, over a store that keeps members");
        }
        joined.request();
        return new SteeredElections(
                steering, joined, answering, timings.common().lease(), loop, clock);
    }

    private Membership membership(MemberSettings settings, MemberStore memberStore, @Nullable Steering steering) {
        Membership joined = new Membership(
                OwnMember.of(
                        identity,
                        clock.wall(),
                        timings.common().lease(),
                        settings,
                        Optional.ofNullable(steering).map(SteeredElections::standing)),
                memberStore,
                conversation,
                loop,
                clock,
                callbacks);
        conversation.onBatch(joined::join);
        return joined;
    }

    private @Nullable LocalMessages messages(Membership joined) {
        return answering
                .memberStore()
                .flatMap(MemberStore::messaging)
                .map(messaging ->
                        new LocalMessages(messaging, joined, timings.common().lease(), loop, clock, callbacks))
                .orElse(null);
    }

    @Override
    public Optional<NodeMessages> messages() {
        return Optional.ofNullable(messages).map(LocalMessages::requested);
    }

    @Override
    public Optional<Members> members() {
        Membership asked = membership;
        if (asked == null) {
            return Optional.empty();
        }
        asked.request();
        return Optional.of(new LocalMembers(asked, preferences, clock));
    }

    @Override
    public Election get(String name) {
        LocalElection known = elections.get(name);
        return known != null ? known : join(name);
    }

    @Override
    public Optional<Election> find(String name) {
        return Optional.ofNullable(elections.get(name));
    }

    @Override
    public Collection<Election> all() {
        return Collections.unmodifiableCollection(elections.values());
    }

    @Override
    public synchronized void addListener(LeadershipListener listener) {
        listeners.add(listener);
        elections.values().forEach(election -> election.addListener(listener));
    }

    @Override
    public synchronized void removeListener(LeadershipListener listener) {
        listeners.remove(listener);
        elections.values().forEach(election -> election.removeListener(listener));
    }

    @Override
    public void reportHealth(@Nullable String problem, long askedAt) {
        SteeredElections told = steered;
        if (told == null) {
            throw new IllegalStateException("This process reports no health: build it with Steering.abdicateWhenDown");
        }
        loop.offer(() -> told.reportHealth(problem, askedAt));
    }

    @Override
    public void addRecovery(String name, LeaderRecovery recovery) {
        recoveries.add(name, recovery);
    }

    @Override
    public void removeRecovery(LeaderRecovery recovery) {
        recoveries.remove(recovery);
    }

    @Override
    public String node() {
        return identity.node().id();
    }

    @Override
    public NodeInfo nodeInfo() {
        return identity.node();
    }

    @Override
    public synchronized void start() {
        if (!running) {
            // A process image may be started more than once, so the identity is drawn only here.
            Identity drawn = identities.get();
            identity = drawn;
            running = true;
            logStart(drawn);
            CompletionStage<?> unused = answering.prepare().whenComplete((prepared, failure) -> begin(drawn));
        }
    }

    /** Starts the elections after the store was prepared, unless this process was stopped or started anew meanwhile. */
    private synchronized void begin(Identity drawn) {
        if (running && !begun && identity.equals(drawn)) {
            begun = true;
            startTogether(drawn, List.copyOf(elections.values()));
        }
    }

    private void startTogether(Identity drawn, List<LocalElection> joined) {
        try {
            Membership joining = membership;
            loop.execute(() -> conversation.ask(batch -> {
                if (joining != null) {
                    joining.start(drawn);
                }
                if (steered != null) {
                    steered.start(drawn);
                }
                joined.forEach(election -> election.start(drawn, batch));
                if (joining != null) {
                    joining.register(batch);
                }
            }));
        } catch (RejectedExecutionException closed) {
            log.debug("The engine of {} is closed and starts no election", node());
        }
    }

    /** Logs one line by which two nodes that should share an election can be compared. */
    private void logStart(Identity drawn) {
        LoggerFactory.getLogger("dev.election")
                .info(
                        "{} takes part in {}{}. Store: {}",
                        drawn.node().id(),
                        timings.describe(elections.keySet()),
                        Roles.describe(elections.values()),
                        store.location());
    }

    @Override
    public synchronized CompletionStage<Void> stop() {
        running = false;
        begun = false;
        Map<LocalElection, CompletableFuture<AbdicationOutcome>> leaving = new LinkedHashMap<>();
        elections.values().forEach(election -> leaving.put(election, new CompletableFuture<>()));
        CompletableFuture<?>[] stops = leaving.entrySet().stream()
                .map(election -> election.getKey().afterCalls(election.getValue()))
                .toArray(CompletableFuture[]::new);
        stopTogether(leaving);
        Membership member = membership;
        if (member == null) {
            return CompletableFuture.allOf(stops);
        }
        // The others have to see a leader among the members as long as it leads.
        String leaver = identity.instance();
        return CompletableFuture.allOf(stops)
                .thenCompose(stopped -> member.leave(leaver))
                .thenAccept(left -> {});
    }

    private void stopTogether(Map<LocalElection, CompletableFuture<AbdicationOutcome>> leaving) {
        try {
            loop.executeHere(
                    () -> conversation.ask(batch -> leaving.forEach((election, left) -> election.stop(left, batch))));
        } catch (RejectedExecutionException closed) {
            leaving.values().forEach(left -> left.complete(AbdicationOutcome.NOT_LEADER));
        }
    }

    @Override
    public void close() {
        Duration drain = elections.values().stream()
                .map(LocalElection::longestStop)
                .max(Duration::compareTo)
                .orElse(LONGEST_LEAVE);
        try {
            stop().toCompletableFuture().get(drain.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            warnOfStop(drain, null);
        } catch (ExecutionException failed) {
            warnOfStop(drain, failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            shutdown.run();
            transitions.flush();
            elections.values().forEach(LocalElection::abandonRemoteAbdications);
        }
    }

    private void warnOfStop(Duration drain, @Nullable Exception failure) {
        log.warn(
                "The elections of {} did not stop within {}. Leases that were not released will expire",
                node(),
                ReadableDuration.of(drain),
                failure);
    }

    private synchronized Election join(String name) {
        return elections.computeIfAbsent(name, joined -> {
            if (!Election.isName(joined)) {
                throw new IllegalArgumentException(
                        "The name of an election must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + joined + "'");
            }
            if (joined.equals(MEMBERS)) {
                throw new IllegalArgumentException("No election can be named '" + MEMBERS
                        + "', which is the name of the members' keys and of their list on the endpoint: choose another"
                        + " name");
            }
            Timing timing = timings.of(joined);
            Protocol protocol = new Protocol(
                    identity.in(joined),
                    protocolTimings(timing),
                    EventBounds.of(timing.lease(), timings.tokensAhead()));
            LocalElection election = new LocalElection(
                    joined,
                    timing,
                    protocol,
                    roles.of(joined),
                    answering,
                    conversation,
                    loop,
                    clock,
                    callbacks,
                    recoveries);
            listeners.forEach(election::addListener);
            Membership member = membership;
            if (member != null) {
                SteeredElections steers = steered;
                election.tellRole(role -> {
                    member.play(joined, roleOfMember(role));
                    if (steers != null) {
                        steers.roleChanged();
                    }
                });
                if (steers != null) {
                    loop.offer(() -> election.steeredBy(steers));
                }
            }
            if (begun) {
                election.start(identity);
            }
            return election;
        });
    }

    static @Nullable MemberRole roleOfMember(Role role) {
        return switch (role) {
            case LEADER -> MemberRole.LEADER;
            case FOLLOWER -> MemberRole.CANDIDATE;
            case OBSERVER -> MemberRole.OBSERVER;
            case COOLING_DOWN, STOPPED -> null;
        };
    }

    private ProtocolTimings protocolTimings(Timing timing) {
        return protocolTimings.computeIfAbsent(timing, known -> ProtocolTimings.of(known, store.traits()));
    }

    /**
     * The timings of all elections.
     *
     * @param common the timing of an election without one of its own
     * @param special the timings of single elections, by name
     * @param tokensAhead how far the token of an event may be ahead of all clocks
     */
    public record Timings(Timing common, Map<String, Timing> special, Duration tokensAhead) {
        /** Returns the names of the elections and their leases, as a part of a sentence. */
        String describe(Collection<String> elections) {
            String lease = " (lease " + ReadableDuration.of(common.lease()) + ")";
            if (elections.isEmpty()) {
                return "no election yet" + lease;
            }
            return (elections.size() == 1 ? "the election " : "the elections ")
                    + Names.listed(elections, this::ownLease)
                    + lease;
        }

        private String ownLease(String election) {
            Duration own = of(election).lease();
            return own.equals(common.lease()) ? "" : " (" + ReadableDuration.of(own) + ")";
        }

        Timing of(String election) {
            return special.getOrDefault(election, common);
        }

        void requireLongEnough(StoreTraits store) {
            store.requireLongEnough(common.lease(), "election.lease");
            special.forEach((election, timing) ->
                    store.requireLongEnough(timing.lease(), "election.elections." + election + ".lease"));
        }
    }
}
