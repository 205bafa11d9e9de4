package dev.election.internal.engine;

import dev.election.AbdicationRequest;
import dev.election.AssignedRole;
import dev.election.Leadership;
import dev.election.NodeInfo;
import dev.election.Role;
import dev.election.Timing;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.record.NoOrder;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.store.AnnounceReply;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.LeaseStore;
import dev.election.store.NodeEvent;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreTraits;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of the simulation: the real engine on a clock, a thread and a network that the simulation moves. */
final class SimulatedNode {

    private static final String ELECTION = "simulated";

    private static final StoreTraits TRAITS = StoreTraits.ofServer("The simulated store", "prefix");

    /** All processes are started from the same image, which was made before the first start. */
    private static final Identity IMAGE = new Identity(new NodeInfo("image", "address"), "image");

    private final Simulation world;
    private final String name;

    private @Nullable Life life;
    private int lives;
    private long cutOffUntil;
    private AssignedRole role = AssignedRole.CANDIDATE;

    SimulatedNode(Simulation world, String name) {
        this.world = world;
        this.name = name;
    }

    void boot() {
        life = new Life();
        start(life);
        if (world.hasManyElections) {
            life.joinBatches();
        }
    }

    /** As another one than ever before, whatever the process was copied from. */
    private void start(Life process) {
        Identity drawn = new Identity(new NodeInfo(name, "address"), name + "-" + lives++);
        process.election.start(world.mutation.identity(IMAGE, drawn));
    }

    boolean isLeader() {
        return life != null && life.election.isLeader();
    }

    long token() {
        return life.election.leadership().map(Leadership::token).orElseThrow().value();
    }

    /** A dead node harms nobody. */
    boolean hasSeenToken() {
        return life == null || life.hasSeenToken;
    }

    /** A pause within another one does not end that one: tasks would overtake each other. */
    void pause(long duration) {
        if (life != null) {
            world.note(name + ": paused for " + Duration.ofNanos(duration));
            life.pausedUntil = Math.max(life.pausedUntil, world.faultUntil(duration));
        }
    }

    void crash(long downtime) {
        world.note(name + ": crashed for " + Duration.ofNanos(downtime));
        life = null;
        rise(downtime);
    }

    void cutOff(long duration) {
        world.note(name + ": cut off for " + Duration.ofNanos(duration));
        cutOffUntil = world.faultUntil(duration);
    }

    void abdicate() {
        if (life != null) {
            world.note(name + ": abdicates");
            life.election.abdicate();
        }
    }

    /** The role also holds for the next process. */
    void setRole(AssignedRole next) {
        world.note(name + ": becomes " + next);
        role = next;
        if (life != null) {
            life.election.setRole(next);
        }
    }

    boolean isCandidate() {
        return role == AssignedRole.CANDIDATE;
    }

    /** Whether it takes part but does not know the leader of that token. */
    boolean isIgnorantOf(long token) {
        return life != null
                && life.election
                        .leader()
                        .filter(leader -> leader.token().value() == token)
                        .isEmpty();
    }

    /** Asks whoever leads to give up, as an operator does. */
    void requestAbdication(AbdicationRequest request) {
        if (life != null) {
            world.note(name + ": passes on " + request);
            life.election.requestAbdication(request).thenAccept(report -> world.note(name + ": reports " + report));
        }
    }

    String name() {
        return name;
    }

    void stopAndStart(long downtime) {
        Life stopped = life;
        if (stopped != null) {
            world.note(name + ": stops for " + Duration.ofNanos(downtime));
            stopped.election.stop();
            world.at(world.faultUntil(downtime), "start", () -> start(stopped));
        }
    }

    /** That the record has changed. */
    void overhearChange() {
        Life listener = life;
        if (listener != null && !isCutOff()) {
            travel("network: news to " + name, () -> {
                if (!isCutOff()) {
                    listener.whenAwake(() -> {
                        listener.purpose = "look by " + name;
                        List.copyOf(listener.watchers).forEach(watcher -> watcher.accept(RecordStore.Change.TEXT));
                    });
                }
            });
        }
    }

    /** That requests go over another connection from now on. */
    void overhearReplacement() {
        if (life != null) {
            tell(StoreEvent.Connected.anew(life.nanos()));
        }
    }

    void overhear(StoreEvent event) {
        if (world.hasChannels) {
            tell(event);
        }
    }

    private void tell(StoreEvent event) {
        Life listener = life;
        if (listener != null && listener.ear != null && !isCutOff()) {
            Consumer<StoreEvent> ear = listener.ear;
            travel("network: " + event + " to " + name, () -> {
                if (!isCutOff()) {
                    ear.accept(event);
                }
            });
        }
    }

    /** Waits for as long as a node that knows nothing would be beyond what a lease can do. */
    private void rise(long downtime) {
        world.at(world.faultUntil(downtime), "boot", () -> {
            if (life != null) {
                return;
            }
            if (world.freshNodesHarm()) {
                rise(world.lease.toNanos() / 10);
            } else {
                world.note(name + ": boots");
                boot();
            }
        });
    }

    private boolean isCutOff() {
        return world.now() < cutOffUntil;
    }

    private void travel(String what, Runnable arrival) {
        for (int copy = world.weather.copies(); copy > 0; copy--) {
            if (!world.weather.loses()) {
                world.at(world.now() + world.weather.delay(), what, arrival);
            }
        }
    }

    /** One process. What it has sent goes on when it is dead; what it would do does not. */
    private final class Life implements Loop, Clock, LeaseStore, NodeMessaging {

        private final double rate = world.rate();
        private final long wrongBy = world.wallClockWrongBy();
        private final AnsweringStore answering = new AnsweringStore(this);
        private final Conversation conversation = new Conversation(answering, this, this);
        private final LocalElection election;
        private @Nullable Consumer<StoreEvent> ear;
        private boolean hasSeenToken;

        /** What the requests for the record are made for. */
        private String purpose = "";

        private final @Nullable RecordLeaseStore records;
        private final List<Consumer<RecordStore.Change>> watchers = new ArrayList<>();
        private long pausedUntil;

        private Life() {
            Timing timing = new Timing(world.lease, world.lease.dividedBy(3), world.lease.multipliedBy(2));
            ProtocolTimings timings = world.mutation.timings(timing, TRAITS);
            this.records = world.records() == null
                    ? null
                    : new RecordLeaseStore(
                            new RecordsByNetwork(world.records()),
                            "",
                            world.rules(),
                            this::nanos,
                            () -> wall().toEpochMilli());
            Protocol protocol = world.mutation.protocol(IMAGE.in(ELECTION), timings);
            this.election = new LocalElection(
                    ELECTION, timing, protocol, role, answering, conversation, this, this, Runnable::run);
        }

        /** Other elections of the process ask at any time, and this one with them. */
        private void joinBatches() {
            long pause = (long) (world.random.nextDouble() * world.lease.toNanos() / 3);
            world.at(world.now() + pause, "batch of " + name, () -> {
                if (life == this) {
                    whenAwake(() -> conversation.ask(batch -> conversation.invite(batch, world.random.nextBoolean())));
                    joinBatches();
                }
            });
        }

        @Override
        public long nanos() {
            return (long) (world.now() * rate);
        }

        @Override
        public Instant wall() {
            return Instant.ofEpochMilli(world.storeMillis() + wrongBy);
        }

        @Override
        public void execute(Runnable task) {
            world.at(world.now(), "task of " + name, () -> whenAwake(task));
        }

        @Override
        public void executeHere(Runnable task) {
            execute(task);
        }

        @Override
        public void aside(Runnable errand) {
            errand.run();
        }

        @Override
        public Alarm alarm(long at, Runnable task) {
            boolean[] cancelled = new boolean[1];
            world.at(
                    (long) Math.ceil(at / rate) + 1,
                    "alarm of " + name,
                    () -> whenAwake(() -> {
                        if (!cancelled[0]) {
                            task.run();
                        }
                    }));
            return () -> cancelled[0] = true;
        }

        private void whenAwake(Runnable task) {
            if (life != this) {
                return;
            }
            if (world.now() < pausedUntil) {
                world.at(pausedUntil, "task of " + name, () -> whenAwake(task));
            } else {
                task.run();
            }
        }

        @Override
        public StoreTraits traits() {
            return TRAITS;
        }

        @Override
        public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
            hasSeenToken |= request.seen() > 0;
            if (election.assignedRole() == AssignedRole.OBSERVER) {
                throw world.violation("An observer campaigns");
            }
            Candidate candidate = disguised(request.candidate());
            CampaignRequest sent = new CampaignRequest(candidate, request.lease(), request.seen(), request.settle());
            purpose = "campaign of " + candidate.candidacy() + " who has seen " + request.seen();
            CompletionStage<CampaignReply> reply =
                    records == null ? send(purpose, () -> world.campaign(sent)) : records.campaign(sent);
            return world.keepsOrder ? reply : reply.thenApply(NoOrder::in);
        }

        @Override
        public CompletionStage<RenewReply> renew(RenewRequest request) {
            hasSeenToken = true;
            if (election.role() == Role.OBSERVER) {
                throw world.violation("An observer renews");
            }
            Candidate candidate = disguised(request.candidate());
            RenewRequest sent =
                    new RenewRequest(candidate, request.token(), request.since(), request.expiry(), request.lease());
            purpose = "renewal of " + candidate.candidacy();
            CompletionStage<RenewReply> reply =
                    records == null ? send(purpose, () -> world.renew(sent)) : records.renew(sent);
            return world.keepsOrder ? reply : reply.thenApply(NoOrder::in);
        }

        @Override
        public CompletionStage<ReleaseReply> release(ReleaseRequest request) {
            Candidate candidate = disguised(request.candidate());
            ReleaseRequest sent =
                    new ReleaseRequest(candidate, request.grant(), request.lease(), request.how(), request.reason());
            purpose = "release of " + candidate.candidacy();
            return records == null ? send(purpose, () -> world.release(sent)) : records.release(sent);
        }

        private CompletionStage<EvictReply> evict(EvictRequest request) {
            purpose = "eviction of " + request.token();
            return records == null ? send(purpose, () -> world.evict(request)) : records.evict(request);
        }

        @Override
        public CompletionStage<ReadReply> read(String election) {
            purpose = "look by " + name;
            return records == null ? send(purpose, world::read) : records.read(election);
        }

        @Override
        public CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
            purpose = "message " + message;
            return records == null ? send(purpose, () -> world.announce(message)) : records.announce(election, message);
        }

        /** Who else goes by a node's id is no part of the protocol. */
        @Override
        public CompletionStage<AnnounceReply> announceAs(String node, NodeEvent.Present present) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription listenAs(String node, Consumer<NodeEvent> listener) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Subscription listen(String election, Consumer<StoreEvent> listener) {
            ear = listener;
            purpose = "look by " + name;
            if (records == null) {
                boolean hears = world.hasChannels || world.mutation == Mutation.NO_HEARING_CHECK;
                tell(hears ? new StoreEvent.Connected() : new StoreEvent.Refused());
            }
            Subscription told = records == null ? () -> {} : records.listen(election, listener);
            return () -> {
                ear = null;
                told.close();
            };
        }

        @Override
        public Optional<Eviction> eviction() {
            return Optional.of(this::evict);
        }

        @Override
        public Optional<NodeMessaging> messaging() {
            return Optional.of(this);
        }

        private Candidate disguised(Candidate candidate) {
            String candidacy = world.mutation.candidacy(name, candidate.candidacy());
            return new Candidate(candidate.election(), candidacy, candidate.node());
        }

        private <T> CompletionStage<T> send(String what, Supplier<T> execution) {
            CompletableFuture<T> reply = new CompletableFuture<>();
            if (!isCutOff()) {
                travel("network: " + what, () -> {
                    if (!world.isStoreAway()) {
                        execute(what, execution, reply);
                    }
                });
            }
            return reply;
        }

        private <T> void execute(String what, Supplier<T> execution, CompletableFuture<T> reply) {
            T answer;
            try {
                answer = execution.get();
            } catch (IllegalArgumentException unreadable) {
                if (world.mutation != Mutation.NO_EVENT_BOUNDS) {
                    throw unreadable;
                }
                // The store has run out of tokens, and answers with one that no node can read.
                world.note("store: " + what + " -> " + unreadable.getMessage());
                return;
            }
            world.note("store: " + what + " -> " + answer);
            answer(what, answer, reply);
        }

        private <T> void answer(String what, T answer, CompletableFuture<T> reply) {
            if (!isCutOff()) {
                travel("network: reply to " + what, () -> {
                    if (!isCutOff()) {
                        world.note(name + ": hears " + answer);
                        if (records == null) {
                            reply.complete(answer);
                        } else {
                            // What follows is decided by the process, which may be paused or dead by now.
                            whenAwake(() -> {
                                purpose = what;
                                reply.complete(answer);
                            });
                        }
                    }
                });
            }
        }

        /** Reads and writes the record as requests that travel. */
        private final class RecordsByNetwork implements RecordStore {

            private final SimulatedRecords there;

            private RecordsByNetwork(SimulatedRecords there) {
                this.there = there;
            }

            @Override
            public StoreTraits traits() {
                return TRAITS;
            }

            @Override
            public CompletionStage<ReadOutcome> read(String key) {
                return send(purpose, () -> {
                    Read read = there.read();
                    return new Read(read.stored(), seen(read.origin()));
                });
            }

            @Override
            public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
                Supplier<ReplaceOutcome> change = () -> {
                    ReplaceOutcome outcome = there.replace(expected, text);
                    return outcome instanceof Written written
                            ? new Written(written.stored(), seen(written.origin()))
                            : new Conflict(((Conflict) outcome).current(), seen(((Conflict) outcome).origin()));
                };
                return send(purpose, change);
            }

            @Override
            public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
                throw new UnsupportedOperationException("No election asks for it");
            }

            @Override
            public CompletionStage<ListOutcome> list(String prefix) {
                throw new UnsupportedOperationException("No election asks for it");
            }

            @Override
            public CompletionStage<ReadAllOutcome> readAll(String prefix) {
                throw new UnsupportedOperationException("No election asks for it");
            }

            @Override
            public Subscription watch(String key, Consumer<Change> listener) {
                watchers.add(listener);
                return () -> watchers.remove(listener);
            }

            private Origin seen(Origin origin) {
                return world.mutation == Mutation.OWN_WALL_CLOCK ? new Origin(wall(), origin.continuity()) : origin;
            }
        }
    }
}
