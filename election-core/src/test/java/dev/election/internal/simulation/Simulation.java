package dev.election.internal.simulation;

import dev.election.Abdication;
import dev.election.AssignedRole;
import dev.election.FencingToken;
import dev.election.LossReason;
import dev.election.StoreView;
import dev.election.record.AtomicStore;
import dev.election.record.ElectionRecord;
import dev.election.record.LeaseRules;
import dev.election.record.RulesWithout;
import dev.election.store.AnnounceReply;
import dev.election.store.CampaignReply;
import dev.election.store.CampaignRequest;
import dev.election.store.EvictReply;
import dev.election.store.EvictRequest;
import dev.election.store.MemberNews;
import dev.election.store.NodeMessage;
import dev.election.store.ReadReply;
import dev.election.store.ReleaseReply;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewReply;
import dev.election.store.RenewRequest;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A world of its own: nodes that run the real engine, a store, a network and time, all moved by one seed. After every event it is
 * checked that no two nodes lead but for one that was evicted, that tokens rise and that no lease comes back that was released or had ended; after the last fault, that a leader
 * appears within {@link #RECOVERY_IN_LEASES} leases. Each node is also a member, and what it shows of the others is checked as {@link SimulatedMembers}
 * says. Each admits work when its listeners were told so, as {@link SimulatedTenure} says. Some worlds are steered, as {@link SimulatedSteering} says, and in
 * some a leader {@linkplain SimulatedRecoveries recovers} before its work. Some have a second election that is led with the first: all nodes see the
 * same leader, token and end of the lease in both. In some nobody may begin to lead before there are enough candidates.
 */
final class Simulation {

    /**
     * How long after the last fault there may be no leader: a lease that was just extended for a candidacy that died, then the
     * wait of a store that was found to have forgotten, then one attempt.
     */
    static final double RECOVERY_IN_LEASES = 2.5;

    private static final int FAULTS = 12;
    private static final int ROLE_CHANGES = 6;
    private static final int HAND_OVERS = 8;
    private static final double STEADY_IN_LEASES = 2;

    /** Longer than the lease of the process before lasts. */
    private static final double ALONE_IN_LEASES = 2;

    final Random random;

    /** Whether each node takes part in other elections, too. */
    final boolean hasManyElections;

    /** Whether nodes become observers and candidates again. */
    private final boolean changesRoles;

    /** By chances of their own, so that a seed that shows what a guard is for shows it in any case. */
    private final Random roleChanges;

    /** Whether a second election is led with the first. */
    final boolean leadsTogether;

    /** How many candidates there have to be before a process campaigns, 0 if that does not matter. */
    final int minimum;

    private final boolean handsOver;
    private final Random handOvers;

    /** Whether the store says to each candidate how many stand before it. */
    final boolean keepsOrder;

    /** Whether all are far apart, and somebody sends roll calls faster than the store answers. */
    private final boolean isFlooded;

    /** Whether the store lets nodes use channels. */
    final boolean hasChannels;

    final Duration lease;
    final Mutation mutation;
    final Weather weather;

    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final List<SimulatedNode> nodes = new ArrayList<>();
    private final AtomicStore store;

    /** In a world whose store can change a text only as a whole; {@code null} where it carries each request out at once. */
    private final @Nullable SimulatedRecords records;

    /** Not beside a defect that is searched for among many seeds. */
    private final @Nullable SimulatedMembers members;

    /** In a world whose nodes are steered. */
    private final @Nullable SimulatedSteering steering;

    /** In a world with several elections that are balanced. */
    private final @Nullable SimulatedBalance balance;

    /** In a world whose leaders recover before they admit work. */
    private final @Nullable SimulatedRecoveries recoveries;

    private final boolean isObserved;
    private final double storeRate;
    private final @Nullable List<String> transcript;
    private final Set<Hold> released = new HashSet<>();
    private final Set<Long> evicted = new HashSet<>();
    private final Map<String, FencingToken> grants = new HashMap<>();
    private final Map<String, Instant> ends = new HashMap<>();

    private long now;
    private long sequence;
    private long highestToken;
    private long storeAwayUntil;
    private long faultsUntil;
    private long freshNodesHarmUntil;
    private @Nullable ElectionRecord saved;
    private long storeClockShift;
    private long oldEndsCountUntil;
    private int leadershipsSeen;
    private int leaderships;
    private int resumptions;
    private @Nullable Violation violation;

    /** Not where a record was lost or came back with old data, and the clocks of nodes, which may be days apart, make the next token. */
    private boolean tokensRise = true;

    Simulation(long seed, Mutation mutation, @Nullable List<String> transcript) {
        this(seed, mutation, transcript, false);
    }

    /** Creates a world whose elections are balanced. */
    static Simulation balanced(long seed, Mutation mutation, @Nullable List<String> transcript) {
        return new Simulation(seed, mutation, transcript, true);
    }

    private Simulation(long seed, Mutation mutation, @Nullable List<String> transcript, boolean isBalanced) {
        this.random = new Random(seed);
        this.mutation = mutation;
        this.transcript = transcript;
        this.lease = Duration.ofSeconds(List.of(1, 3, 15).get(random.nextInt(3)));
        this.weather = new Weather(random, lease.toNanos());
        this.storeRate = rate();
        this.steering =
                seed % 8 == 1 && !isBalanced && mutation == Mutation.NONE ? new SimulatedSteering(this, seed) : null;
        boolean recovers = seed % 8 == 5 || seed % 8 == 6 || seed % 16 == 1;
        this.recoveries =
                recovers && !isBalanced && mutation == Mutation.NONE ? new SimulatedRecoveries(this, seed) : null;
        this.store = new AtomicStore(this::storeMillis, this::broadcast, rules());
        int drawn = mutation.worldOr(random.nextInt(4));
        int kind = isBalanced ? 2 : drawn;
        this.isObserved = kind == 0;
        this.records = kind > 1
                ? null
                : new SimulatedRecords(
                        this::storeMillis, !isObserved, seed % 3 != 0, mutation, this::tellOfRecord, evicted::add);
        this.hasManyElections = random.nextBoolean();
        this.changesRoles = seed % 2 == 1 && !isBalanced && mutation == Mutation.NONE;
        this.roleChanges = new Random(~seed);
        this.handsOver = seed % 3 == 0 && !isBalanced && mutation == Mutation.NONE;
        this.handOvers = new Random(seed + HAND_OVERS);
        this.keepsOrder = seed % 4 != 0;
        this.isFlooded = records == null && steering == null && !isBalanced && seed % 7 == 3;
        if (isFlooded) {
            weather.delayBy(lease.toNanos() / 16);
        }
        this.hasChannels = records != null || seed % 5 != 0;
        this.members = mutation == Mutation.NONE || isBalanced ? new SimulatedMembers(this, seed) : null;
        this.balance = isBalanced ? new SimulatedBalance(this, seed, rules()) : null;
        int size = 2 + random.nextInt(3);
        this.leadsTogether = seed % 11 < 2 && !isBalanced && mutation == Mutation.NONE;
        // Not where a flood goes on to the end: its roll calls void each grant, and nobody could lead again.
        boolean hasMinimum =
                seed % 13 < 2 && steering == null && !isFlooded && !isBalanced && mutation == Mutation.NONE;
        this.minimum = hasMinimum ? 2 + (int) (seed / 13 % (size - 1)) : 0;
        for (int i = 0; i < size; i++) {
            nodes.add(new SimulatedNode(this, "n" + i));
        }
    }

    @Nullable
    SimulatedRecords records() {
        return records;
    }

    @Nullable
    SimulatedMembers members() {
        return members;
    }

    @Nullable
    SimulatedSteering steering() {
        return steering;
    }

    @Nullable
    SimulatedBalance balance() {
        return balance;
    }

    @Nullable
    SimulatedRecoveries recoveries() {
        return recoveries;
    }

    void leadershipBegins() {
        leaderships++;
        if (balance != null) {
            balance.leadershipBegins();
        }
    }

    /** How often a node was told that it leads. */
    int leaderships() {
        return leaderships;
    }

    void leadershipResumes() {
        resumptions++;
    }

    /** How often a leader handed over in vain and admitted work again. */
    int resumptions() {
        return resumptions;
    }

    LeaseRules rules() {
        return new RulesWithout(mutation.missingInStore(), steering == null ? 5 : SimulatedSteering.HISTORY);
    }

    private void tellOfRecord() {
        nodes.forEach(SimulatedNode::overhearChange);
    }

    /** A node that sees a record without a clock late counts its lease from then on. */
    double recoveryInLeases() {
        return isObserved ? RECOVERY_IN_LEASES + 1 : RECOVERY_IN_LEASES;
    }

    /** Runs to the end, or to the first violation. */
    void run() {
        nodes.forEach(SimulatedNode::boot);
        long calmAt = 0;
        for (int i = 0; i < FAULTS; i++) {
            calmAt += (long) (random.nextDouble() * 1.5 * lease.toNanos());
            at(calmAt, "fault", () -> Fault.draw(random).strike(this));
        }
        if (changesRoles) {
            changeRoles(calmAt);
        }
        if (handsOver) {
            handOver(calmAt);
        }
        if (members != null) {
            members.disturb(calmAt);
        }
        if (steering != null) {
            steering.disturb(calmAt);
        }
        if (recoveries != null) {
            recoveries.disturb(calmAt);
        }
        calmAt += lease.toNanos();
        if (isFlooded) {
            callUntil(calmAt, this::genuine);
        }
        runUntil(calmAt);
        calmAt = Math.max(calmAt, faultsUntil);
        runUntil(calmAt);
        while (recoveries != null && calmAt < faultsUntil) {
            // The last recovery has failed only now.
            calmAt = faultsUntil;
            runUntil(calmAt);
        }
        calmDown();
        if (steering != null && members != null) {
            settle(steering, members);
            return;
        }
        if (minimum > 0 && members != null) {
            nodes.stream().filter(node -> !node.isCandidate()).forEach(this::changeRole);
            pass(members.shown());
            calmAt = now;
        }
        runUntil(calmAt + (long) (recoveryInLeases() * lease.toNanos()));
        if (balance != null && members != null) {
            settle(balance, members, calmAt);
            return;
        }
        long token = leader("No node leads " + recoveryInLeases() + " leases after the last fault")
                .token();
        if (isFlooded) {
            callUntil(Long.MAX_VALUE, StoreEvent.RollCall::new);
        }
        runUntil(now + (long) (STEADY_IN_LEASES * lease.toNanos()));
        if (leader("The leader is gone without a fault").token() != token) {
            throw violation("The leader changed without a fault");
        }
        checkAdmitting();
        if (nodes.stream().anyMatch(node -> !node.isCandidate() && node.isIgnorantOf(token))) {
            throw violation("An observer does not know the leader");
        }
        if (members != null) {
            runUntil(calmAt + (long) ((members.gone() + 1) * lease.toNanos()));
        }
        if (minimum > 0 && members != null) {
            loseMembers(members);
        }
    }

    /** All but the leader are gone, which stays, then is killed and comes back alone, until the others are back, too. */
    private void loseMembers(SimulatedMembers those) {
        SimulatedNode leader = leader("No node leads");
        long token = leader.token();
        double alone = those.gone() + 1;
        long downtime = (long) ((alone + ALONE_IN_LEASES) * lease.toNanos());
        nodes.stream().filter(node -> node != leader).forEach(node -> node.crash(downtime));
        those.calmDown();
        pass(alone);
        if (!leader.isLeader() || leader.token() != token) {
            throw violation("The leader is gone since others are");
        }
        leader.crash(0);
        those.calmDown();
        pass(ALONE_IN_LEASES);
        those.calmDown();
        pass(those.shown() + recoveryInLeases());
        leader("No node leads, although there are " + nodes.size() + " candidates of " + minimum);
    }

    /** Nobody may lead for a while: a leader hands over, or all are drained. The right one leads in the end, and goes on to. */
    private void settle(SimulatedSteering steers, SimulatedMembers those) {
        pass(those.gone() + 1);
        steers.letSomebodyLead();
        double bound = steers.bound(records == null ? handOvers(store.view()) : records.handOvers());
        long end = now + (long) (bound * lease.toNanos());
        while (now < end && nodes.stream().noneMatch(node -> node.isLeader() && steers.isRight(node))) {
            pass(0.5);
        }
        SimulatedNode leader = leader("No node leads " + bound + " leases after all copies were right");
        if (hasChannels && !steers.isRight(leader)) {
            throw violation(leader.name() + " leads " + bound + " leases after all copies were right");
        }
        long token = leader.token();
        pass(STEADY_IN_LEASES);
        if (hasChannels && steers.isSteady() && (!leader.isLeader() || leader.token() != token)) {
            throw violation("The leader changed without a reason");
        }
        if (hasChannels && steers.isSteady()) {
            checkAdmitting();
            steers.flap(leader);
        }
    }

    private void settle(SimulatedBalance balanced, SimulatedMembers those, long calmAt) {
        balanced.checkLed(calmAt);
        int before = balanced.leaderships();
        pass(those.gone() + 1);
        if (hasChannels) {
            balanced.settle(before);
        }
    }

    private void checkAdmitting() {
        if (!leader("No node leads").admits()) {
            throw violation("The leader admits no work");
        }
    }

    private static long handOvers(StoreView view) {
        return view.leaderships().stream()
                .filter(past -> past.reason() == LossReason.PREEMPTED)
                .count();
    }

    void pass(double leases) {
        runUntil(now + (long) (leases * lease.toNanos()));
    }

    /** Also of two nodes at a time, and twice in quick succession. At least one candidate remains. */
    private void changeRoles(long end) {
        for (int i = 0; i < ROLE_CHANGES; i++) {
            at((long) (roleChanges.nextDouble() * end), "change of a role", () -> {
                boolean isLeaders = roleChanges.nextBoolean();
                SimulatedNode node = isLeaders ? leaderOrAny() : nodes.get(roleChanges.nextInt(nodes.size()));
                changeRole(node);
                if (roleChanges.nextInt(3) == 0) {
                    long soon = (long) (roleChanges.nextDouble() * lease.toNanos() / 10);
                    at(now + soon, "change of a role", () -> changeRole(node));
                }
            });
        }
        at(end + lease.toNanos() / 2, "change of a role", () -> {
            if (nodes.stream().noneMatch(SimulatedNode::isCandidate)) {
                nodes.get(0).setRole(AssignedRole.CANDIDATE);
            }
        });
    }

    /** To any node, which may be gone, or to this one itself. Half of the running work outlasts the wait for it. */
    private void handOver(long end) {
        for (int i = 0; i < HAND_OVERS; i++) {
            at((long) (handOvers.nextDouble() * end), "hand-over", () -> {
                Duration drain = upTo(lease);
                SimulatedNode successor = nodes.get(handOvers.nextInt(nodes.size()));
                Abdication how =
                        new Abdication(drain, upTo(lease), successor.name(), upTo(lease), SimulatedNode.BY_ITSELF);
                faultUntil(how.reserve().plus(how.cooldown()).plus(drain).toNanos());
                leaderOrAny().handOver(how, upTo(drain.multipliedBy(2)).toNanos());
            });
        }
    }

    private Duration upTo(Duration longest) {
        return Duration.ofNanos((long) (handOvers.nextDouble() * longest.toNanos()));
    }

    private void changeRole(SimulatedNode node) {
        node.setRole(node.isCandidate() ? AssignedRole.OBSERVER : AssignedRole.CANDIDATE);
    }

    private void callUntil(long end, Supplier<StoreEvent.RollCall> forger) {
        at(now + lease.toNanos() / 60, "forged roll call", () -> {
            if (now < end) {
                publish(forger.get());
                callUntil(end, forger);
            }
        });
    }

    /** As the store would call now. */
    private StoreEvent.RollCall genuine() {
        return records == null ? store.call() : new StoreEvent.RollCall();
    }

    long membersSeen() {
        return members == null ? 0 : members.seen();
    }

    int leadershipsSeen() {
        return leadershipsSeen;
    }

    long now() {
        return now;
    }

    List<SimulatedNode> nodes() {
        return nodes;
    }

    SimulatedNode anyNode() {
        return nodes.get(random.nextInt(nodes.size()));
    }

    /** The node that leads, else any. */
    SimulatedNode leaderOrAny() {
        return nodes.stream().filter(SimulatedNode::isLeader).findFirst().orElseGet(this::anyNode);
    }

    /** A rate of a clock: at most one percent off, so that two differ by at most the two percent of the margin. */
    double rate() {
        return 0.9901 + random.nextDouble() * 0.0198;
    }

    /** By how many milliseconds a node's wall clock is apart from the store's: up to a day and a half either way. */
    long wallClockWrongBy() {
        return random.nextInt(-129_600_000, 129_600_001);
    }

    void at(long time, String what, Runnable action) {
        events.add(new Event(Math.max(time, now), sequence++, what, action));
    }

    /** For what costs more to write than to do. */
    void note(Supplier<String> line) {
        if (transcript != null) {
            note(line.get());
        }
    }

    void note(String line) {
        if (transcript != null) {
            // The ids of requests to abdicate are drawn by chance, and nothing depends on them.
            String repeatable = line.replaceAll("request=\\w+", "request=...").replace('\n', '|');
            if (records != null) {
                repeatable = repeatable
                        .replaceAll("(?<=write=)\\w{32}", "...")
                        .replaceAll(
                                "\\|(format|epoch|waiting|leadership|news|lease.node|lease.since|lease.length)[^|]*",
                                "");
            }
            transcript.add(String.format("%12.6f %s", now / 1e9, repeatable));
        }
    }

    void storeAway(long duration) {
        storeAwayUntil = faultUntil(duration);
    }

    /** When a fault that begins now ends; it is not calm before. */
    long faultUntil(long duration) {
        faultsUntil = Math.max(faultsUntil, now + duration);
        return now + duration;
    }

    boolean isStoreAway() {
        return now < storeAwayUntil;
    }

    /**
     * The store forgets everything, unless a node is about that has never seen a token, or a request of the time when it had
     * not: that pair of faults is beyond what a lease can do, and the design says so. Not where roll calls are refused: then the settle time is a
     * whole lease.
     */
    boolean forget() {
        boolean innocentUnderWay = events.stream()
                .anyMatch(event -> event.what.startsWith("network: campaign") && event.what.endsWith("who has seen 0"));
        boolean isHarmful = hasChannels && (innocentUnderWay || !nodes.stream().allMatch(SimulatedNode::hasSeenToken));
        if (isHarmful || oldEndsCount()) {
            return false;
        }
        if (balance != null) {
            balance.stores().forEach(AtomicStore::forget);
        }
        if (records == null) {
            store.forget();
        } else {
            records.forget();
            tokensRise &= !isObserved;
        }
        if (members != null) {
            members.forget();
        }
        // A forged event may have raised tokens beyond the clock, and who starts afresh now knows of neither.
        highestToken = Math.min(highestToken, storeMillis());
        // It has also forgotten what was released: such a lease may come back, for as long as it would have lasted.
        released.clear();
        freshNodesHarmUntil = hasChannels ? now + (long) (1.1 * lease.toNanos()) : now;
        return true;
    }

    /** What the store knows now may come back. */
    void saveStore() {
        if (balance != null) {
            balance.save();
        }
        if (records == null) {
            saved = store.save();
        } else {
            records.save();
        }
        if (members != null) {
            members.save();
        }
    }

    /**
     * The server starts again with these parts as they were when it was last saved. Not where it was saved before the first grant: then
     * it has forgotten everything.
     */
    boolean restartStore(Set<AtomicStore.Part> old) {
        if (records != null) {
            return records.restore(true) && comeBack(() -> {});
        }
        ElectionRecord then = saved;
        return then != null
                && knowsGrants(then)
                && comeBack(() -> {
                    store.restart(then, old);
                    if (balance != null) {
                        balance.restart(old);
                    }
                });
    }

    /** A copy of what was last saved takes over, on a machine whose clock may show another time; all nodes hear of it at once. */
    boolean promoteCopy(long clockAheadMillis) {
        if (records != null) {
            return records.restore(false) && comeBack(() -> shiftClock(clockAheadMillis));
        }
        ElectionRecord then = saved;
        return then != null
                && knowsGrants(then)
                && comeBack(() -> {
                    shiftClock(clockAheadMillis);
                    store.promote(then, mutation != Mutation.NO_REPLICA_CHECK);
                    if (balance != null) {
                        balance.promote();
                    }
                });
    }

    private void shiftClock(long aheadMillis) {
        storeClockShift += aheadMillis;
        if (members != null) {
            members.clockChanged();
        }
        if (aheadMillis < 0) {
            oldEndsCountUntil = Math.max(oldEndsCountUntil, storeMillis() - aheadMillis + lease.toMillis());
        }
    }

    /**
     * Whether a request may be under way whose lease ended by the clock of before, but not by the present one: a lease that has ended, or that
     * the store loses then, comes back too late, and nobody leads meanwhile. The documents list that exception.
     */
    private boolean oldEndsCount() {
        return storeMillis() < oldEndsCountUntil;
    }

    private boolean knowsGrants(ElectionRecord record) {
        return (balance == null || balance.canComeBack())
                && record.epoch() != null
                && record.epoch().token() > 0;
    }

    /** What was released since is forgotten; tokens rise by the store's clock where nobody remembers them. */
    private boolean comeBack(Runnable change) {
        change.run();
        if (members != null) {
            members.restore();
        }
        released.clear();
        highestToken = Math.min(highestToken, storeMillis());
        tokensRise &= records == null;
        saved = null;
        nodes.forEach(SimulatedNode::overhearReplacement);
        return true;
    }

    boolean freshNodesHarm() {
        return now < freshNodesHarmUntil;
    }

    /** Anybody may publish on the channel. */
    void publish(StoreEvent event) {
        broadcast(event);
    }

    void publish(MemberNews news, boolean isForged) {
        for (SimulatedNode node : nodes) {
            node.overhear(news, isForged);
        }
    }

    long highestToken() {
        return highestToken;
    }

    boolean loseLease() {
        if (oldEndsCount()) {
            return false;
        }
        if (balance != null) {
            balance.stores().forEach(AtomicStore::loseLease);
        }
        if (records == null) {
            store.loseLease();
        } else {
            records.loseLease();
        }
        return true;
    }

    CampaignReply campaign(CampaignRequest request) {
        CampaignReply reply = store.campaign(request);
        if (reply instanceof CampaignReply.Granted granted) {
            checkGrant(request.candidate().candidacy(), granted.token());
            ends.put(request.candidate().candidacy(), granted.expiry());
        }
        return reply;
    }

    RenewReply renew(RenewRequest request) {
        RenewReply reply = store.renew(request);
        if (reply instanceof RenewReply.Renewed renewed) {
            String candidacy = request.candidate().candidacy();
            if (released.contains(new Hold(candidacy, request.token()))) {
                throw violation("A released lease came back");
            }
            if (ends.get(candidacy).toEpochMilli() < storeMillis() && !oldEndsCount()) {
                throw violation("A lease that had ended came back");
            }
            ends.put(candidacy, renewed.expiry());
        }
        return reply;
    }

    ReleaseReply release(ReleaseRequest request) {
        ReleaseReply reply = store.release(request);
        if (reply instanceof ReleaseReply.Released) {
            String candidacy = request.candidate().candidacy();
            release(
                    candidacy,
                    request.grant() == null
                            ? grants.get(candidacy)
                            : request.grant().token());
        }
        return reply;
    }

    /** Whoever is evicted may believe that it leads until its own deadline: force says so. It must not renew any more. */
    EvictReply evict(EvictRequest request) {
        EvictReply reply = store.evict(request);
        if (reply instanceof EvictReply.Evicted) {
            evicted.add(request.token().value());
            grants.entrySet().stream()
                    .filter(grant -> grant.getValue().equals(request.token()))
                    .forEach(grant -> release(grant.getKey(), request.token()));
        }
        return reply;
    }

    /** Not for ever: a candidacy that never heard of its grant may be granted the lease again, under another token. */
    private void release(String candidacy, FencingToken token) {
        if (mutation != Mutation.NO_CANDIDACY_IDS) {
            released.add(new Hold(candidacy, token));
        }
    }

    ReadReply read() {
        return new ReadReply.Read(store.view());
    }

    AnnounceReply announce(NodeMessage message) {
        broadcast(new StoreEvent.Received(message));
        return new AnnounceReply.Announced();
    }

    /** What calls the store may catch it, so it is thrown once more after the event. */
    Violation violation(String what) {
        if (violation == null) {
            violation = new Violation(what);
        }
        return violation;
    }

    /** A grant whose reply was lost is repeated with its own token; every other must have a higher one than all before. */
    private void checkGrant(String candidacy, FencingToken token) {
        boolean isRepeated = token.equals(grants.put(candidacy, token));
        if (!isRepeated && token.value() <= highestToken && mutation != Mutation.NO_CANDIDACY_IDS) {
            throw violation("Token " + token + " was granted after " + highestToken);
        }
        highestToken = Math.max(highestToken, token.value());
    }

    private void runUntil(long end) {
        while (!events.isEmpty() && events.peek().at <= end) {
            Event event = events.remove();
            now = event.at;
            event.action.run();
            check(event);
            if (violation != null) {
                throw violation;
            }
        }
        now = end;
    }

    private void check(Event event) {
        if (members != null) {
            members.check();
        }
        if (balance != null) {
            balance.check();
        }
        int leaders = 0;
        for (SimulatedNode node : nodes) {
            node.checkTenure();
            if (node.isLeader() && !evicted.contains(node.token())) {
                leaders++;
                if (records != null) {
                    checkLeader(node.token());
                }
            }
        }
        if (leaders > 1) {
            note("after " + event.what);
            nodes.stream()
                    .filter(SimulatedNode::isLeader)
                    .forEach(node -> note("leads: " + node.name() + " " + node.token()));
            throw violation("Two nodes lead");
        }
        leadershipsSeen += leaders;
    }

    /** Where the store itself grants nothing, a leadership shows by its leader. */
    private void checkLeader(long token) {
        if (token < highestToken && tokensRise) {
            throw violation("Token " + token + " leads after " + highestToken);
        }
        highestToken = token;
    }

    private SimulatedNode leader(String otherwise) {
        return nodes.stream().filter(SimulatedNode::isLeader).findFirst().orElseThrow(() -> violation(otherwise));
    }

    private void calmDown() {
        note("calm: no more faults, what was under way is lost");
        events.removeIf(event -> event.what.startsWith("network"));
        weather.clear();
        if (members != null) {
            members.calmDown();
        }
    }

    private void broadcast(StoreEvent event) {
        for (SimulatedNode node : nodes) {
            node.overhear(event);
        }
    }

    long storeMillis() {
        return 1_800_000_000_000L + storeClockShift + (long) (now * storeRate / 1e6);
    }

    private record Event(long at, long sequence, String what, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            return at != other.at ? Long.compare(at, other.at) : Long.compare(sequence, other.sequence);
        }
    }

    private record Hold(String candidacy, FencingToken token) {}

    /** What must not happen has happened. */
    static final class Violation extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Violation(String what) {
            super(what, null, false, false);
        }
    }
}
