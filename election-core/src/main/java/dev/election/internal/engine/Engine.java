package dev.election.internal.engine;

import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderRecovery;
import dev.election.LeadershipListener;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.engine.Loop;
import dev.election.internal.election.Identity;
import dev.election.internal.election.LocalElection;
import dev.election.internal.election.PartitionPlace;
import dev.election.internal.log.TransitionLog;
import dev.election.internal.protocol.EventBounds;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.requests.Batch;
import dev.election.internal.requests.EngineContext;
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
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The elections of a process: creates them, and starts and stops all of them together. */
public class Engine implements Elections, AutoCloseable {

    /** Time for a process without an election to leave the members. */
    private static final Duration LONGEST_LEAVE = Duration.ofSeconds(1);

    /** How long a line of the log waits for other elections that share it. */
    private static final long SHARED_LINE = Duration.ofSeconds(1).toNanos();

    private static final Logger log = LoggerFactory.getLogger(Engine.class);

    private static final String MEMBERS = "members";

    private final Supplier<NodeInfo> nodes;
    private final Timings timings;
    private final Roles roles;
    private final EngineContext context;
    private final List<EnginePart> parts = new ArrayList<>();
    private final Groups groups;
    private final Map<String, String> ledWith;
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

    /**
     * Creates an engine that is not started yet.
     *
     * @param nodes describes this process, at each start
     */
    public Engine(Supplier<NodeInfo> nodes, EngineSettings settings, EngineContext context) {
        settings.timings().requireLongEnough(context.store().traits());
        this.timings = settings.timings().together(settings.ledWith());
        this.nodes = nodes;
        this.identity = Identity.drawn(nodes.get());
        this.roles = settings.roles();
        this.groups = settings.groups();
        groups.requireFewEnough(context.store().sendsTogether());
        groups.requireNoneIn(settings.timings().special().keySet());
        groups.requireNoneIn(roles.special().keySet());
        groups.requireNoMinimumOf(settings.minimumMembers().keySet());
        this.ledWith = settings.ledWith();
        ledWith.forEach((election, with) -> groups.requireNoneIn(List.of(with)));
        ledWith.keySet().forEach(groups::requireNoPartition);
        this.recoveries = new Recoveries(settings.takeOver());
        this.context = context;
        this.transitions = new TransitionLog(
                this::node,
                context.store().location(),
                context.store().traits().separatedBy(),
                elections::size,
                groups.counts(),
                this::inASecond);
        listeners.add(transitions);
        context.conversation().onBatch(this::joinParts);
    }

    /** After the end of the loop nothing runs: {@link #close} logs what waits. */
    private void inASecond(Runnable callback) {
        Loop loop = context.loop();
        loop.offer(() -> loop.alarm(context.clock().nanos() + SHARED_LINE, () -> context.callBack(callback)));
    }

    /** Adds a part. Called before the first election. */
    protected final void add(EnginePart part) {
        parts.add(part);
    }

    @Override
    public LocalElection get(String name) {
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
    public void addRecovery(String name, LeaderRecovery recovery) {
        String named = recovery.election();
        List<String> partitions = groups.elections(named);
        (partitions.isEmpty() ? List.of(named) : partitions)
                .forEach(election -> recoveries.add(name, election, recovery));
    }

    @Override
    public void removeRecovery(LeaderRecovery recovery) {
        recoveries.remove(recovery);
    }

    /** Returns the identity of this process since its latest start. */
    protected final Identity identity() {
        return identity;
    }

    @Override
    public String node() {
        return identity.node().id();
    }

    public final NodeInfo nodeInfo() {
        return identity.node();
    }

    @Override
    public synchronized void start() {
        if (!running) {
            // A process image may be started more than once, so the identity is drawn only here.
            Identity drawn = Identity.drawn(nodes.get());
            identity = drawn;
            running = true;
            logStart(drawn);
            CompletionStage<?> unused = context.store().prepare().whenComplete((prepared, failure) -> begin(drawn));
        }
    }

    /** Starts the elections after the store was prepared, unless this process was stopped or started anew meanwhile. */
    private synchronized void begin(Identity drawn) {
        if (running && !begun && identity.equals(drawn)) {
            begun = true;
            startTogether(
                    drawn,
                    elections.values().stream()
                            .filter(election -> !election.isLedWithAnother())
                            .toList());
        }
    }

    private void startTogether(Identity drawn, List<LocalElection> joined) {
        try {
            context.loop().execute(() -> context.conversation().ask(batch -> {
                parts.forEach(part -> part.start(drawn));
                joined.forEach(election -> election.start(drawn, batch));
                joinParts(batch);
            }));
            context.loop().whenIdle(HandOverClasses.load());
        } catch (RejectedExecutionException closed) {
            log.debug("The engine of {} is closed and starts no election", node());
        }
    }

    private void joinParts(Batch batch) {
        parts.forEach(part -> part.join(batch));
    }

    /** Logs one line by which two nodes that should share an election can be compared. */
    private void logStart(Identity drawn) {
        LoggerFactory.getLogger("dev.election")
                .info(
                        "{} takes part in {}{}. Store: {}",
                        drawn.node().id(),
                        timings.describe(elections.keySet(), groups),
                        Roles.describe(elections.values(), groups),
                        context.store().location());
    }

    @Override
    public synchronized CompletionStage<Void> stop() {
        running = false;
        begun = false;
        Map<LocalElection, CompletableFuture<AbdicationOutcome>> leaving = new LinkedHashMap<>();
        List<CompletableFuture<?>> stops = new ArrayList<>();
        for (LocalElection election : elections.values()) {
            CompletableFuture<AbdicationOutcome> left = new CompletableFuture<>();
            leaving.put(election, left);
            stops.add(election.afterCalls(left));
        }
        stopTogether(leaving);
        // The others have to see a leader among the members as long as it leads.
        String leaver = identity.instance();
        return CompletableFuture.allOf(stops.toArray(new CompletableFuture<?>[0]))
                .thenCompose(stopped -> CompletableFuture.allOf(parts.stream()
                        .map(part -> part.leave(leaver).toCompletableFuture())
                        .toArray(CompletableFuture[]::new)));
    }

    private void stopTogether(Map<LocalElection, CompletableFuture<AbdicationOutcome>> leaving) {
        try {
            context.loop().executeHere(() -> context.conversation().ask(batch -> {
                for (Map.Entry<LocalElection, CompletableFuture<AbdicationOutcome>> each : leaving.entrySet()) {
                    each.getKey().stop(each.getValue(), batch);
                }
            }));
        } catch (RejectedExecutionException closed) {
            leaving.values().forEach(left -> left.complete(AbdicationOutcome.NOT_LEADER));
        }
    }

    @Override
    public void close() {
        Duration drain = elections.isEmpty() ? LONGEST_LEAVE : Duration.ZERO;
        for (LocalElection election : elections.values()) {
            Duration longest = election.longestStop();
            drain = longest.compareTo(drain) > 0 ? longest : drain;
        }
        try {
            stop().toCompletableFuture().get(drain.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException late) {
            warnOfStop(drain, null);
        } catch (ExecutionException failed) {
            warnOfStop(drain, failed);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            context.shutdown().run();
            transitions.close();
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

    private synchronized LocalElection join(String name) {
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
            PartitionPlace place = groups.placeOf(joined);
            String with = ledWith.get(joined);
            if (with != null) {
                return added(new LocalElection(joined, get(with), recoveries, context));
            }
            Timing timing = timings.of(joined);
            Protocol protocol = new Protocol(
                    identity.in(joined),
                    protocolTimings(timing),
                    EventBounds.of(timing.lease(), timings.tokensAhead()));
            LocalElection election = new LocalElection(timing, protocol, roles.of(joined), recoveries, context);
            election.isPartition(place);
            added(election);
            context.loop().offer(() -> parts.forEach(part -> part.add(election.runner())));
            if (begun) {
                election.start(identity);
            }
            return election;
        });
    }

    private LocalElection added(LocalElection election) {
        election.tellRole(role -> parts.forEach(part -> part.roleChanged(election.name(), role)));
        if (election.isLedWithAnother()) {
            election.joinLease();
        }
        listeners.forEach(election::addListener);
        return election;
    }

    private ProtocolTimings protocolTimings(Timing timing) {
        return protocolTimings.computeIfAbsent(
                timing,
                known -> ProtocolTimings.of(
                        known, context.store().traits(), context.store().sendsTogether()));
    }
}
