package dev.election.engine;

import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.Elections;
import dev.election.LeadershipListener;
import dev.election.NodeInfo;
import dev.election.protocol.EventBounds;
import dev.election.protocol.Protocol;
import dev.election.protocol.ProtocolTimings;
import dev.election.protocol.Timing;
import dev.election.store.LeaseStore;
import dev.election.store.StoreTraits;
import dev.election.text.ReadableDuration;
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

/** All elections of a process, over one store and in one loop. The store belongs to the caller and is not closed here. */
public final class ElectionEngine implements Elections, AutoCloseable {

    private static final Logger log = LoggerFactory.getLogger(ElectionEngine.class);

    private final Supplier<Identity> identities;
    private final LeaseStore store;
    private final Timings timings;
    private final Clock clock;
    private final Loop loop;
    private final Executor callbacks;
    private final Runnable shutdown;
    private final AnsweringStore answering;
    private final Conversation conversation;
    private final DuplicateNodeIds duplicates;
    private final Map<String, LocalElection> elections = new ConcurrentSkipListMap<>();

    /** What follows from a timing, for all elections that have it. Guarded by this. */
    private final Map<Timing, ProtocolTimings> protocolTimings = new HashMap<>();

    /** Guarded by this. */
    private final List<LeadershipListener> listeners = new ArrayList<>();

    /** Drawn anew at each start. Written under the lock of this. */
    private volatile Identity identity;

    /** Guarded by this, so that an election that is joined while all are being started is started exactly once. */
    private boolean running;

    ElectionEngine(
            Supplier<Identity> identities,
            LeaseStore store,
            Timings timings,
            Clock clock,
            Loop loop,
            Executor callbacks,
            Runnable shutdown) {
        timings.requireLongEnough(store.traits());
        this.identities = identities;
        this.identity = identities.get();
        this.store = store;
        this.timings = timings;
        this.clock = clock;
        this.loop = loop;
        this.callbacks = callbacks;
        this.shutdown = shutdown;
        this.answering = new AnsweringStore(store);
        this.conversation = new Conversation(answering, clock, loop);
        this.duplicates =
                new DuplicateNodeIds(identity, protocolTimings(timings.common()), answering.messaging(), loop, clock);
        listeners.add(new TransitionLog(this::node, store.traits().separatedBy(), elections::size));
    }

    /** Begins to describe an engine over that store. */
    public static Builder over(LeaseStore store) {
        return new Builder(store);
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
    public String node() {
        return identity.node().id();
    }

    /** The node that this process is to the others. Its id may be another one after each start. */
    public NodeInfo nodeInfo() {
        return identity.node();
    }

    @Override
    public synchronized void start() {
        if (!running) {
            // Before, this process may have been copied: as a process image that is started more than once.
            Identity drawn = identities.get();
            identity = drawn;
            running = true;
            startTogether(drawn, List.copyOf(elections.values()));
            duplicates.start(drawn);
        }
    }

    private void startTogether(Identity drawn, List<LocalElection> joined) {
        try {
            loop.execute(() -> conversation.ask(batch -> joined.forEach(election -> election.start(drawn, batch))));
        } catch (RejectedExecutionException closed) {
            log.debug("The engine of {} is closed and starts no election", node());
        }
    }

    @Override
    public synchronized CompletionStage<Void> stop() {
        running = false;
        Map<LocalElection, CompletableFuture<AbdicationOutcome>> leaving = new LinkedHashMap<>();
        elections.values().forEach(election -> leaving.put(election, new CompletableFuture<>()));
        CompletableFuture<?>[] stops = leaving.entrySet().stream()
                .map(election -> election.getKey().afterCalls(election.getValue()))
                .toArray(CompletableFuture[]::new);
        stopTogether(leaving);
        duplicates.stop();
        return CompletableFuture.allOf(stops);
    }

    private void stopTogether(Map<LocalElection, CompletableFuture<AbdicationOutcome>> leaving) {
        try {
            loop.executeHere(
                    () -> conversation.ask(batch -> leaving.forEach((election, left) -> election.stop(left, batch))));
        } catch (RejectedExecutionException closed) {
            leaving.values().forEach(left -> left.complete(AbdicationOutcome.NOT_LEADER));
        }
    }

    /**
     * Stops as {@link #stop()} does, waits for it, and ends the threads for good. A thread that is interrupted waits no longer: leases
     * that are not released by then expire, and listeners may not hear of it.
     */
    @Override
    public void close() {
        Duration drain = elections.values().stream()
                .map(LocalElection::longestStop)
                .max(Duration::compareTo)
                .orElse(Duration.ZERO);
        try {
            stop().toCompletableFuture().get(drain.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn(
                    "The elections of {} did not stop within {}. Leases that were not released will expire",
                    node(),
                    ReadableDuration.of(drain),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            shutdown.run();
            elections.values().forEach(LocalElection::abandonRemoteAbdications);
        }
    }

    private synchronized Election join(String name) {
        return elections.computeIfAbsent(name, joined -> {
            if (!Election.isName(joined)) {
                throw new IllegalArgumentException(
                        "The name of an election must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + joined + "'");
            }
            Timing timing = timings.of(joined);
            Protocol protocol = new Protocol(
                    identity.in(joined),
                    protocolTimings(timing),
                    EventBounds.of(timing.lease(), timings.tokensAhead()));
            LocalElection election =
                    new LocalElection(joined, timing, protocol, answering, conversation, loop, clock, callbacks);
            listeners.forEach(election::addListener);
            if (running) {
                election.start(identity);
            }
            return election;
        });
    }

    private ProtocolTimings protocolTimings(Timing timing) {
        return protocolTimings.computeIfAbsent(timing, known -> ProtocolTimings.of(known, store.traits()));
    }

    /**
     * @param common for every election
     * @param special for single ones, by name
     * @param tokensAhead how far the token of an event may be ahead of all clocks
     */
    record Timings(Timing common, Map<String, Timing> special, Duration tokensAhead) {
        Timing of(String election) {
            return special.getOrDefault(election, common);
        }

        void requireLongEnough(StoreTraits store) {
            store.requireLongEnough(common.lease(), "election.lease");
            special.forEach((election, timing) ->
                    store.requireLongEnough(timing.lease(), "election.elections." + election + ".lease"));
        }
    }

    /** Describes an engine. */
    public static final class Builder {

        private final LeaseStore store;
        private final Map<String, Timing> special = new HashMap<>();
        private Timing timing = Timing.defaults();
        private Duration tokensAhead = EventBounds.AHEAD;
        private Supplier<NodeInfo> node = ThisHost::node;
        private @Nullable Executor callbacks;
        private @Nullable Loop loop;
        private Clock clock = Clock.system();
        private String application = "";

        private Builder(LeaseStore store) {
            this.store = store;
        }

        /** The node that this process is; the host's name with a random suffix, which is another one after each start, unless said. */
        public Builder as(NodeInfo node) {
            return as(() -> node);
        }

        /** The same where the id is not always the same: asked for when the engine is built, and at each start. */
        public Builder as(Supplier<NodeInfo> node) {
            this.node = node;
            return this;
        }

        /**
         * The name of the application, by which two applications that share an election by mistake are found; that of the node unless
         * said, or if it is empty. Without one there is no such check.
         */
        public Builder application(String name) {
            this.application = name;
            return this;
        }

        /** The timing of every election that has none of its own. */
        public Builder timing(Timing timing) {
            this.timing = timing;
            return this;
        }

        /** The timing of one election. */
        public Builder timing(String election, Timing timing) {
            special.put(election, timing);
            return this;
        }

        /**
         * How far a token in a message may be ahead of all clocks; a day unless said. More only where the clock of the store was once ahead
         * by more: tokens never fall, so they are ahead since.
         */
        public Builder tokensAhead(Duration time) {
            this.tokensAhead = time;
            return this;
        }

        /** Where listeners run; a few threads of the engine's own unless said. Not closed by the engine. */
        public Builder callbacks(Executor callbacks) {
            this.callbacks = callbacks;
            return this;
        }

        /**
         * Where the elections decide, and by which clock; a thread of the engine's own and the clocks of the machine unless said. For
         * tests that move both by hand. Not closed by the engine.
         */
        public Builder loop(Loop loop, Clock clock) {
            this.loop = loop;
            this.clock = clock;
            return this;
        }

        /**
         * An engine that is not started yet.
         *
         * @throws IllegalArgumentException if a lease is shorter than the shortest one of the store
         */
        public ElectionEngine build() {
            ElectionThread thread = new ElectionThread(clock);
            CallbackThreads own = new CallbackThreads();
            Supplier<NodeInfo> process = node;
            String name = application;
            return new ElectionEngine(
                    () -> Identity.drawn(
                            name.isEmpty() ? process.get() : process.get().ofApplication(name)),
                    store,
                    new Timings(timing, Map.copyOf(special), tokensAhead),
                    clock,
                    loop == null ? thread : loop,
                    callbacks == null ? own : callbacks,
                    () -> {
                        thread.shutdown();
                        own.finish();
                    });
        }
    }
}
