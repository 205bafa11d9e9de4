package dev.election.internal.simulation;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AbdicationRequest;
import dev.election.AssignedRole;
import dev.election.FencingToken;
import dev.election.LeaderWork;
import dev.election.Leadership;
import dev.election.LeadershipEvent;
import dev.election.LossReason;
import dev.election.NodeInfo;
import dev.election.Role;
import dev.election.Timing;
import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.election.Identity;
import dev.election.internal.election.LocalElection;
import dev.election.internal.engine.EnginePart;
import dev.election.internal.members.Membership;
import dev.election.internal.members.MinimumMembers;
import dev.election.internal.members.OwnMember;
import dev.election.internal.protocol.Protocol;
import dev.election.internal.protocol.ProtocolTimings;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.recovery.TakeOver;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.steering.SteeredElections;
import dev.election.members.Drain;
import dev.election.members.DrainOutcome;
import dev.election.members.MemberSettings;
import dev.election.record.NoOrder;
import dev.election.record.RecordLeaseStore;
import dev.election.record.RecordStore;
import dev.election.store.AnnounceReply;
import dev.election.store.BeatReply;
import dev.election.store.BeatRequest;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.Candidate;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.Eviction;
import dev.election.store.LeaseStore;
import dev.election.store.LeaveReply;
import dev.election.store.MemberNews;
import dev.election.store.MemberStore;
import dev.election.store.NodeMessage;
import dev.election.store.NodeMessaging;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import dev.election.store.StoreRequest;
import dev.election.store.StoreTraits;
import dev.election.testing.EachEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node of the simulation: the real engine on a clock, a thread and a network that the simulation moves. */
final class SimulatedNode {

    static final String ELECTION = "simulated";

    /** The election that is led with the first, in a world that has one. */
    private static final String TOGETHER = "together";

    /** Who requests a hand-over that nobody has ordered. */
    static final String BY_ITSELF = "itself";

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
        process.start(world.mutation.identity(IMAGE, drawn));
    }

    boolean isLeader() {
        return life != null && life.election.isLeader();
    }

    boolean leads(String other) {
        return life != null && life.others.get(other).isLeader();
    }

    /** Whether work goes on, although the lease was released in order. */
    boolean worksThoughItHandedOver(String other) {
        return life != null
                && life.losses.containsKey(other)
                && SimulatedTenure.ORDERLY.contains(life.losses.get(other))
                && !life.others.get(other).isLeader()
                && life.others.get(other).runningWork() > 0;
    }

    long token() {
        return life.election.leadership().map(Leadership::token).orElseThrow().value();
    }

    /** A dead node harms nobody. */
    boolean hasSeenToken() {
        return life == null || (life.hasSeenToken && life.seenOthers.containsAll(life.others.keySet()));
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
        if (life != null) {
            life.end();
        }
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
            life.asked().abdicate();
        }
    }

    void giveUp(String reason) {
        if (life != null && life.tenure != null) {
            world.note(name + ": gives up");
            life.tenure.givesUp();
            life.election.giveUp(reason);
        }
    }

    /** Whether it does what its listeners were told of its leadership, and begins it only when it may. */
    void checkTenure() {
        if (life != null && life.tenure != null) {
            life.tenure.check();
            life.checkTogether();
            life.checkBeginning();
        }
    }

    /** Whether it takes new work on. */
    boolean admits() {
        return life == null
                || life.tenure == null
                || (life.tenure.admits() && (life.tenureTogether == null || life.tenureTogether.admits()));
    }

    /** By itself, while work runs that may outlast the drain time. */
    void handOver(Abdication how, long work) {
        Life leading = life;
        if (leading != null) {
            work(work);
            world.note(name + ": would hand over, " + how);
            leading.offer(() -> leading.election.runner().handOver(how));
        }
    }

    /** Begins work that takes that long, if it leads. */
    void work(long duration) {
        if (life != null) {
            life.asked().beginWork().ifPresent(begun -> {
                world.note(name + ": works for " + Duration.ofNanos(duration));
                world.at(world.faultUntil(duration), "end of work", begun::close);
            });
        }
    }

    /** An operator, by this node. */
    void orderDrain(Drain drain) {
        if (life != null && life.membership != null) {
            world.note(name + ": passes on that " + drain.node() + " is to be drained");
            CompletionStage<DrainOutcome> unused = life.membership.drain(drain);
        }
    }

    void orderReturn(String node) {
        if (life != null && life.membership != null) {
            world.note(name + ": passes on that " + node + " is drained no longer");
            CompletionStage<DrainOutcome> unused = life.membership.activate(node);
        }
    }

    /** The role also holds for the next process. */
    void setRole(AssignedRole next) {
        world.note(name + ": becomes " + next);
        role = next;
        if (life != null) {
            if (life.tenure != null) {
                life.tenure.redirect();
            }
            life.asked().setRole(next);
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
            stopped.stop();
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
            for (String other : life.otherEars.keySet()) {
                tell(other, StoreEvent.Connected.anew(life.nanos()));
            }
            tell(new MemberNews.Connected(), false);
        }
    }

    void overhear(StoreEvent event) {
        if (world.hasChannels) {
            tell(event);
        }
    }

    /** In another election than the first. */
    void overhear(String other, StoreEvent event) {
        if (world.hasChannels) {
            tell(other, event);
        }
    }

    private void tell(String other, StoreEvent event) {
        Life listener = life;
        if (listener != null && !isCutOff()) {
            travel("network: " + event + " of " + other + " to " + name, () -> {
                Consumer<StoreEvent> ear = listener.otherEars.get(other);
                world.note(name + ": is told " + event + " of " + other + (ear == null ? ", and does not listen" : ""));
                if (ear != null && !isCutOff()) {
                    ear.accept(event);
                }
            });
        }
    }

    void overhear(MemberNews news, boolean isForged) {
        if (world.hasChannels) {
            tell(news, isForged);
        }
    }

    private void tell(MemberNews news, boolean isForged) {
        Life listener = life;
        SimulatedMembers members = world.members();
        if (members != null && listener != null && !isCutOff()) {
            travel(members.chances, "network: news of members to " + name, () -> {
                if (!isCutOff()) {
                    if (isForged) {
                        listener.execute(listener.copy::hearForged);
                    }
                    List.copyOf(listener.memberEars).forEach(ear -> ear.accept(news));
                }
            });
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
        travel(world.random, what, arrival);
    }

    private void travel(Random chances, String what, Runnable arrival) {
        for (int copy = world.weather.copies(chances); copy > 0; copy--) {
            if (!world.weather.loses(chances)) {
                world.at(world.now() + world.weather.delay(chances), what, arrival);
            }
        }
    }

    /** One process. What it has sent goes on when it is dead; what it would do does not. */
    private final class Life implements Loop, Clock, LeaseStore, NodeMessaging {

        private final double rate = world.rate();
        private final long wrongBy = world.wallClockWrongBy();
        private final EngineContext context;
        private final List<EnginePart> parts = new ArrayList<>();
        private final LocalElection election;

        /** In a world whose elections are balanced. */
        private final Map<String, LocalElection> others = new TreeMap<>();

        private final Map<String, Consumer<StoreEvent>> otherEars = new TreeMap<>();
        private final Set<String> seenOthers = new HashSet<>();

        /** Why the latest leadership of each of them ended. */
        private final Map<String, LossReason> losses = new TreeMap<>();

        private final @Nullable Membership membership;
        private final @Nullable SteeredElections steered;
        private SimulatedMembers.@Nullable Copy copy;

        /** Not beside a defect that is searched for among many seeds. */
        private final @Nullable SimulatedTenure tenure;

        /** The election that is led with the first, in a world that has one, and its leaderships. */
        private final @Nullable LocalElection together;

        private final @Nullable SimulatedTenure tenureTogether;

        /** The latest leadership that was seen to begin. */
        private @Nullable FencingToken begun;

        private @Nullable Consumer<StoreEvent> ear;
        private final List<Consumer<MemberNews>> memberEars = new ArrayList<>();
        private boolean hasSeenToken;

        /** A beat that travels with the next request. */
        private @Nullable Passenger passenger;

        /** What the requests for the record are made for. */
        private String purpose = "";

        private final @Nullable RecordLeaseStore records;
        private final List<Consumer<RecordStore.Change>> watchers = new ArrayList<>();
        private long pausedUntil;

        /** What waits for the end of a pause, in order, also if that pause becomes longer. */
        private final Queue<Runnable> asleep = new ArrayDeque<>();

        private Life() {
            Timing timing = new Timing(world.lease, world.lease.dividedBy(3), world.lease.multipliedBy(2));
            ProtocolTimings timings = world.mutation.timings(timing, TRAITS, sendsTogether());
            this.records = world.records() == null
                    ? null
                    : new RecordLeaseStore(
                            new RecordsByNetwork(world.records()),
                            "",
                            world.rules(),
                            this::nanos,
                            () -> wall().toEpochMilli());
            Protocol protocol = world.mutation.protocol(IMAGE.in(ELECTION), timings);
            SimulatedRecoveries.Process recoveries =
                    world.recoveries() == null ? null : world.recoveries().new Process(this::runAfter);
            this.context = EngineContext.over(this, this, this, recoveries == null ? Runnable::run : recoveries::call);
            this.election = new LocalElection(
                    timing,
                    protocol,
                    role,
                    recoveries == null ? new Recoveries(TakeOver.DEFAULT) : recoveries.configured(),
                    context);
            this.tenure = world.mutation == Mutation.NONE
                    ? new SimulatedTenure(world, name, election, this, recoveries)
                    : null;
            this.together = world.leadsTogether
                    ? new LocalElection(TOGETHER, election, new Recoveries(TakeOver.DEFAULT), context)
                    : null;
            this.tenureTogether = together == null ? null : new SimulatedTenure(world, name, together, this, null);
            SimulatedMembers members = world.members();
            this.membership = members == null ? null : membership(members);
            SimulatedSteering steering = world.steering();
            this.steered = membership == null ? null : steered(membership, steering);
            if (world.balance() != null) {
                SimulatedBalance.OTHERS.forEach(other -> others.put(
                        other,
                        new LocalElection(
                                timing,
                                world.mutation.protocol(IMAGE.in(other), timings),
                                role,
                                new Recoveries(TakeOver.DEFAULT),
                                context)));
            }
            beginAsTheEngineDoes();
        }

        private void beginAsTheEngineDoes() {
            context.conversation().onBatch(batch -> parts.forEach(part -> part.join(batch)));
            election.tellRole(present -> {
                checkNotAlone();
                parts.forEach(part -> part.roleChanged(ELECTION, present));
                if (tenure != null && membership != null) {
                    tenure.plays(present);
                }
            });
            if (together != null) {
                together.tellRole(present -> {
                    checkNotAlone();
                    parts.forEach(part -> part.roleChanged(TOGETHER, present));
                });
                together.joinLease();
            }
            others.forEach((name, other) -> {
                other.tellRole(present -> parts.forEach(part -> part.roleChanged(name, present)));
                other.addListener(new EachEvent(event -> {
                    if (event instanceof LeadershipEvent.Acquired) {
                        world.balance().leadershipBegins();
                    }
                    if (event instanceof LeadershipEvent.Lost lost) {
                        losses.put(name, lost.reason());
                    } else {
                        world.at(world.now(), "work", () -> whenAwake(() -> work(name, other)));
                    }
                }));
            });
            execute(() -> parts.forEach(part -> {
                part.add(election.runner());
                others.values().forEach(other -> part.add(other.runner()));
            }));
        }

        /** Works, one piece of work after the other, for as long as it leads. */
        private void work(String name, LocalElection other) {
            Optional<LeaderWork> admitted = other.runningWork() > 0 ? Optional.empty() : other.beginWork();
            admitted.ifPresent(work -> {
                world.balance().checkWork(SimulatedNode.this, name);
                world.at(world.now() + world.balance().work(), "end of work", () -> {
                    work.close();
                    whenAwake(() -> work(name, other));
                });
            });
        }

        /** The election by which callers of both reach it. */
        private LocalElection asked() {
            return together == null ? election : together;
        }

        /** Also within an event, when one of both has changed. */
        private void checkNotAlone() {
            if (together != null && together.isLeader() && !election.isLeader()) {
                throw world.violation(name + " leads " + TOGETHER + " and not " + ELECTION);
            }
        }

        /** After every event: both have one lease, or none. */
        private void checkTogether() {
            if (together == null || tenureTogether == null) {
                return;
            }
            if (!tokenIn(together).equals(tokenIn(election))
                    || !together.leader().equals(election.leader())
                    || !together.leaseRemaining().equals(election.leaseRemaining())) {
                throw world.violation(name + " is in " + together + " under " + tokenIn(together) + " of "
                        + together.leader() + ", and in " + election + " under " + tokenIn(election) + " of "
                        + election.leader());
            }
            tenureTogether.check();
        }

        private static Optional<FencingToken> tokenIn(LocalElection of) {
            return of.leadership().map(Leadership::token);
        }

        /** After every event. */
        private void checkBeginning() {
            FencingToken token = world.minimum == 0 ? null : tokenIn(election).orElse(null);
            if (token != null && !token.equals(begun)) {
                begun = token;
                copy.checkCandidates(world.minimum);
            }
        }

        private MinimumMembers minimum(Membership joined) {
            return new MinimumMembers(world.minimum == 0 ? Map.of() : Map.of(ELECTION, world.minimum), joined, context);
        }

        private @Nullable SteeredElections steered(Membership joined, @Nullable SimulatedSteering steering) {
            MinimumMembers minimum = minimum(joined);
            parts.add(minimum);
            if (world.balance() != null) {
                SteeredElections balanced = new SteeredElections(SimulatedBalance.steering(), joined, minimum, context);
                parts.add(balanced);
                return balanced;
            }
            if (steering == null) {
                return null;
            }
            SteeredElections steers = new SteeredElections(steering.of(name), joined, minimum, context);
            parts.add(steers);
            if (steering.health() != null) {
                askForHealth(steers, steering.health());
            }
            return steers;
        }

        private Membership membership(SimulatedMembers members) {
            Membership joined =
                    new Membership(described(), context.store().memberStore().orElseThrow(), context);
            parts.add(joined);
            copy = members.open(joined, rate, name);
            joined.request();
            return joined;
        }

        private void runAfter(long pause, Runnable task) {
            world.at(world.now() + pause, "recovery of " + name, () -> whenAwake(task));
        }

        private OwnMember described() {
            SimulatedSteering steering = world.steering();
            if (world.balance() != null) {
                return OwnMember.of(
                        IMAGE,
                        wall(),
                        world.lease,
                        MemberSettings.none(),
                        Optional.of(SteeredElections.standing(SimulatedBalance.steering())));
            }
            return steering == null
                    ? OwnMember.of(IMAGE, wall(), world.lease, MemberSettings.none(), Optional.empty())
                    : OwnMember.of(
                            IMAGE,
                            wall(),
                            world.lease,
                            steering.described(name),
                            Optional.of(SteeredElections.standing(steering.of(name))));
        }

        private void start(Identity identity) {
            execute(() -> context.conversation().ask(batch -> {
                parts.forEach(part -> part.start(identity));
                if (steered != null && world.steering() != null) {
                    world.steering().started(name);
                }
                election.start(identity, batch);
                others.values().forEach(other -> other.start(identity, batch));
                parts.forEach(part -> part.join(batch));
            }));
        }

        /** Asks for its health again and again. */
        private void askForHealth(SteeredElections steers, SimulatedHealth health) {
            world.at(world.now() + world.lease.toNanos() / 3, "question for the health of " + name, () -> {
                if (life == this) {
                    whenAwake(() -> ask(steers, health));
                    askForHealth(steers, health);
                }
            });
        }

        private void ask(SteeredElections steers, SimulatedHealth health) {
            long askedAt = world.now();
            long asked = nanos();
            String problem = health.problemOf(name);
            world.at(
                    askedAt + health.answerTakes(),
                    "health of " + name,
                    () -> whenAwake(() -> {
                        health.answered(name, problem, askedAt);
                        steers.reportHealth(problem, asked);
                    }));
        }

        private void stop() {
            CompletableFuture<AbdicationOutcome> left = new CompletableFuture<>();
            if (tenure != null) {
                tenure.redirect();
            }
            executeHere(() -> context.conversation().ask(batch -> {
                election.stop(left, batch);
                if (together != null) {
                    together.stop(new CompletableFuture<>(), batch);
                }
                others.values().forEach(other -> other.stop(new CompletableFuture<>(), batch));
            }));
            if (membership != null) {
                String instance = membership.own().instance();
                left.thenRun(() -> membership.leave(instance));
            }
        }

        /** It is killed. */
        private void end() {
            if (copy != null) {
                world.members().close(copy);
            }
        }

        /** Other elections of the process ask at any time, and this one with them. */
        private void joinBatches() {
            long pause = (long) (world.random.nextDouble() * world.lease.toNanos() / 3);
            world.at(world.now() + pause, "batch of " + name, () -> {
                if (life == this) {
                    whenAwake(() -> context.conversation().ask(batch -> {
                        if (world.random.nextBoolean()) {
                            batch.becomePlanned();
                        }
                        context.conversation().invite(batch, world.random.nextBoolean());
                    }));
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
            if (world.now() >= pausedUntil && asleep.isEmpty()) {
                task.run();
                return;
            }
            if (asleep.isEmpty()) {
                world.at(pausedUntil, "end of a pause of " + name, this::wake);
            }
            asleep.add(task);
        }

        private void wake() {
            if (life != this) {
                return;
            }
            if (world.now() < pausedUntil) {
                world.at(pausedUntil, "end of a pause of " + name, this::wake);
                return;
            }
            while (!asleep.isEmpty()) {
                asleep.remove().run();
            }
        }

        @Override
        public StoreTraits traits() {
            return TRAITS;
        }

        @Override
        public CompletionStage<CampaignReply> campaign(CampaignRequest request) {
            String other = request.candidate().election();
            if (SimulatedBalance.isOther(other)) {
                if (request.seen() > 0) {
                    seenOthers.add(other);
                }
                String what = "campaign of " + request.candidate().candidacy() + " who has seen " + request.seen();
                CompletionStage<CampaignReply> answer =
                        send(what, () -> world.balance().of(other).campaign(request));
                return world.keepsOrder ? answer : answer.thenApply(NoOrder::in);
            }
            hasSeenToken |= request.seen() > 0;
            if (election.assignedRole() == AssignedRole.OBSERVER) {
                throw world.violation("An observer campaigns");
            }
            if (tenure != null) {
                tenure.checkCampaign();
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
            String other = request.candidate().election();
            if (SimulatedBalance.isOther(other)) {
                seenOthers.add(other);
                CompletionStage<RenewReply> answer = send(
                        "renewal in " + other, () -> world.balance().of(other).renew(request));
                return world.keepsOrder ? answer : answer.thenApply(NoOrder::in);
            }
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
            String other = request.candidate().election();
            if (SimulatedBalance.isOther(other)) {
                return send(
                        "release of " + other, () -> world.balance().of(other).release(request));
            }
            if (request.reason() == LossReason.PREEMPTED) {
                checkHandOver(request);
            }
            if (tenure != null) {
                tenure.check(request);
            }
            Candidate candidate = disguised(request.candidate());
            ReleaseRequest sent =
                    new ReleaseRequest(candidate, request.grant(), request.lease(), request.how(), request.reason());
            purpose = "release of " + candidate.candidacy();
            return records == null ? send(purpose, () -> world.release(sent)) : records.release(sent);
        }

        private void checkHandOver(ReleaseRequest request) {
            if (election.runningWork() > 0 || asked().runningWork() > 0) {
                throw world.violation("A hand-over that nobody ordered cuts off work");
            }
            SimulatedSteering steering = world.steering();
            boolean isOrderedByWorld = BY_ITSELF.equals(request.how().requestedBy());
            if (steering != null && tenure != null && !isOrderedByWorld) {
                steering.check(name, tenure.held());
            }
        }

        private CompletionStage<EvictReply> evict(EvictRequest request) {
            purpose = "eviction of " + request.token();
            return records == null ? send(purpose, () -> world.evict(request)) : records.evict(request);
        }

        @Override
        public CompletionStage<ReadReply> read(String election) {
            if (SimulatedBalance.isOther(election)) {
                return send(
                        "look at " + election,
                        () -> new ReadReply.Read(world.balance().of(election).view()));
            }
            purpose = "look by " + name;
            return records == null ? send(purpose, world::read) : records.read(election);
        }

        @Override
        public CompletionStage<AnnounceReply> announce(String election, NodeMessage message) {
            purpose = "message " + message;
            return records == null ? send(purpose, () -> world.announce(message)) : records.announce(election, message);
        }

        @Override
        public Subscription listen(String election, Consumer<StoreEvent> listener) {
            if (SimulatedBalance.isOther(election)) {
                otherEars.put(election, listener);
                SimulatedNode.this.tell(
                        election, world.hasChannels ? new StoreEvent.Connected() : new StoreEvent.Refused());
                return () -> otherEars.remove(election);
            }
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

        @Override
        public Optional<MemberStore> memberStore() {
            return Optional.of(new MembersByNetwork());
        }

        @Override
        public boolean sendsTogether() {
            return world.balance() != null;
        }

        /** Where requests are carried out at once, a beat and what is asked with it arrive together or not at all. */
        @Override
        public List<CompletionStage<?>> send(List<? extends StoreRequest<?>> requests) {
            if (records == null
                    && requests.size() == 2
                    && requests.get(0) instanceof StoreRequest.OfCandidate<?>
                    && requests.get(1) instanceof BeatRequest beat) {
                Passenger carried = new Passenger(beat, new CompletableFuture<>());
                copy.asks(beat.known());
                passenger = carried;
                return List.of(requests.get(0).sendTo(this), carried.reply());
            }
            return LeaseStore.super.send(requests);
        }

        private Candidate disguised(Candidate candidate) {
            String candidacy = world.mutation.candidacy(name, candidate.candidacy());
            return new Candidate(candidate.election(), candidacy, candidate.node());
        }

        private <T> CompletionStage<T> send(String what, Supplier<T> execution) {
            Passenger carried = passenger;
            passenger = null;
            if (carried == null) {
                return send(world.random, what, execution);
            }
            CompletionStage<Map.Entry<T, BeatReply>> both = send(
                    world.random,
                    what,
                    () -> Map.entry(execution.get(), world.members().beat(carried.beat())));
            return both.thenApply(replies -> {
                carried.reply().complete(replies.getValue());
                return replies.getKey();
            });
        }

        private <T> CompletionStage<T> send(Random chances, String what, Supplier<T> execution) {
            CompletableFuture<T> reply = new CompletableFuture<>();
            if (!isCutOff()) {
                travel(chances, "network: " + what, () -> {
                    if (!world.isStoreAway()) {
                        execute(chances, what, execution, reply);
                    }
                });
            }
            return reply;
        }

        private <T> void execute(Random chances, String what, Supplier<T> execution, CompletableFuture<T> reply) {
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
            world.note(() -> "store: " + what + " -> " + answer);
            answer(chances, what, answer, reply);
        }

        private <T> void answer(Random chances, String what, T answer, CompletableFuture<T> reply) {
            if (!isCutOff()) {
                travel(chances, "network: reply to " + what, () -> {
                    if (!isCutOff()) {
                        world.note(() -> name + ": hears " + answer);
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

        /** Where no members are simulated, nobody asks. */
        private final class MembersByNetwork implements MemberStore {

            @Override
            public CompletionStage<BeatReply> beat(BeatRequest request) {
                copy.asks(request.known());
                return records == null
                        ? send(world.members().chances, "beat of " + request.instance(), () -> world.members()
                                .beat(request))
                        : inRecords().beat(request);
            }

            @Override
            public CompletionStage<LeaveReply> leave(String instance) {
                return records == null
                        ? send(world.members().chances, "leaving of " + instance, () -> {
                            world.members().leave(instance);
                            return new LeaveReply.Left();
                        })
                        : inRecords().leave(instance);
            }

            @Override
            public Subscription listen(Consumer<MemberNews> listener) {
                memberEars.add(listener);
                overhear(new MemberNews.Connected(), false);
                return () -> memberEars.remove(listener);
            }

            @Override
            public int mostMembers() {
                return Integer.MAX_VALUE;
            }

            private MemberStore inRecords() {
                return records.memberStore().orElseThrow();
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
                if (isOfMember(key)) {
                    return ask("reading of " + key, () -> seen(there.readMember(key)));
                }
                return send(purpose, () -> seen(there.read()));
            }

            @Override
            public CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text) {
                if (isOfMember(key)) {
                    AtomicBoolean isMade = new AtomicBoolean();
                    // What expects nothing is never sent twice.
                    return ask(
                            "writing of " + key,
                            () -> expected == null && isMade.getAndSet(true)
                                    ? seen(new Conflict(
                                            null, there.readMember(key).origin()))
                                    : change(key, expected, text));
                }
                return send(purpose, () -> seen(there.replace(expected, text)));
            }

            @Override
            public CompletionStage<ReplaceOutcome> delete(String key, Stored expected) {
                return ask("deletion of " + key, () -> change(key, expected, null));
            }

            private ReplaceOutcome change(String key, @Nullable Stored expected, @Nullable String text) {
                ReplaceOutcome outcome = there.replaceMember(key, expected, text);
                if (outcome instanceof Written) {
                    world.members().changed(key.substring(SimulatedRecords.MEMBERS.length()), text);
                }
                return seen(outcome);
            }

            private boolean isOfMember(String key) {
                return key.startsWith(SimulatedRecords.MEMBERS);
            }

            private <T> CompletionStage<T> ask(String what, Supplier<T> execution) {
                return send(world.members().chances, what, execution);
            }

            @Override
            public CompletionStage<ListOutcome> list(String prefix) {
                throw new UnsupportedOperationException("No election asks for it");
            }

            @Override
            public CompletionStage<ReadAllOutcome> readAll(String prefix) {
                return ask("reading of all members", there::readMembers);
            }

            @Override
            public Subscription watch(String key, Consumer<Change> listener) {
                watchers.add(listener);
                return () -> watchers.remove(listener);
            }

            private Read seen(Read read) {
                return new Read(read.stored(), seen(read.origin()));
            }

            private ReplaceOutcome seen(ReplaceOutcome outcome) {
                return outcome instanceof Written written
                        ? new Written(written.stored(), seen(written.origin()))
                        : new Conflict(((Conflict) outcome).current(), seen(((Conflict) outcome).origin()));
            }

            private Origin seen(Origin origin) {
                return world.mutation == Mutation.OWN_WALL_CLOCK ? new Origin(wall(), origin.continuity()) : origin;
            }
        }
    }

    private record Passenger(BeatRequest beat, CompletableFuture<BeatReply> reply) {}
}
