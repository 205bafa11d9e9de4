package dev.election.internal.steering;

import dev.election.Role;
import dev.election.Steering;
import dev.election.engine.Clock;
import dev.election.engine.Loop;
import dev.election.internal.election.ElectionRunner;
import dev.election.internal.election.Hold;
import dev.election.internal.election.Identity;
import dev.election.internal.engine.EnginePart;
import dev.election.internal.members.Drains;
import dev.election.internal.members.KnownMembers;
import dev.election.internal.members.LatestBalance;
import dev.election.internal.members.Membership;
import dev.election.internal.members.MinimumMembers;
import dev.election.internal.members.RosterCopy;
import dev.election.internal.protocol.QueueTimings;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.succession.Balance;
import dev.election.internal.succession.Succession;
import dev.election.members.Drain;
import dev.election.members.DrainOutcome;
import dev.election.members.Standing;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.TreeMap;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steers the elections of this process by its copy of the members: each gets its place in the order of succession, and this process leads
 * nothing while it is drained. Used on the loop only, unless stated otherwise.
 */
public final class SteeredElections implements EnginePart, Membership.LifecycleListener {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** How much later than the first of several changed roles the elections are looked at, as a part of the lease. */
    private static final int SOON = 300;

    private final Steering steering;
    private final LatestBalance balances;
    private final Membership membership;
    private final MinimumMembers minimum;
    private final Duration lease;
    private final EngineContext context;
    private final Loop loop;
    private final Clock clock;
    private final Map<String, ElectionRunner> runners = new TreeMap<>();

    /** The hand-overs of each election; empty if this process never hands over without a request. */
    private final List<HandOvers> handOvers = new ArrayList<>();

    private final Rebalancing rebalancing;
    private final OwnHealth health;
    private String node = "";
    private boolean isHolding;
    private @Nullable Drain drain;

    /** The list of members that last had the order to drain this process, {@code null} if none had it yet. */
    private @Nullable String drainedIn;

    /** When this process last wrote that order again, {@code null} if it did not. */
    private @Nullable Long orderedAt;

    private boolean isLookingSoon;
    private List<RosterCopy.Known> seen = List.of();
    private boolean wasReliable;

    /** The elections that this node leads while all candidates are down. */
    private final LogLimit leadingDown = LogLimit.once();

    /** The elections of which all members are drained, and since when, on the monotonic clock. */
    private final Map<String, Long> withoutCandidates = new HashMap<>();

    public SteeredElections(Steering steering, Membership membership, MinimumMembers minimum, EngineContext context) {
        this.steering = steering;
        this.balances = new LatestBalance(steering);
        this.membership = membership;
        this.minimum = minimum;
        this.lease = membership.own().lease();
        this.context = context;
        this.loop = context.loop();
        this.clock = context.clock();
        this.rebalancing = new Rebalancing(balances, membership, context, runners.values(), this::handOver);
        this.health = new OwnHealth(() -> membership.own().member(), membership::reportHealth, clock);
        membership.addLifecycleListener(this);
    }

    /** Returns the preferences of this process that other members need. */
    public static Standing standing(Steering steering) {
        return new Standing(steering.priority(), steering.priorities())
                .balanced(steering.balance(), steering.balances());
    }

    /** Lets the elections wait until it is known whether this process is drained, a lease at most. Called before they start. */
    @Override
    public void start(Identity identity) {
        node = identity.node().id();
        drain = null;
        drainedIn = null;
        health.start();
        orderedAt = null;
        if (steering.drainedOnStart()) {
            obey(new Drain(node, "drained-on-start", clock.wall()));
        } else {
            isHolding = true;
            runners.values().forEach(runner -> runner.hold(Hold.DRAIN));
            loop.alarm(clock.nanos() + lease.toNanos(), () -> release(identity));
        }
    }

    /** Takes the result of a check of health, as {@link OwnHealth#answer} does. */
    public void reportHealth(@Nullable String problem, long askedAt) {
        health.answer(problem, askedAt);
        seen();
    }

    private void release(Identity identity) {
        if (isHolding && identity.equals(membership.own().identity())) {
            log.warn(
                    "The store has not said within {} whether {} is drained: it campaigns, and hands over if it learns"
                            + " that later",
                    ReadableDuration.of(lease),
                    node);
            obey(null);
        }
    }

    @Override
    public void add(ElectionRunner runner) {
        runners.put(runner.name(), runner);
        if (steering.handsOver() || steering.balances(runner.name())) {
            handOvers.add(new HandOvers(steering, runner, membership, rebalancing, minimum, context));
        }
        if (isHolding) {
            runner.hold(Hold.DRAIN);
        } else {
            String drainedBy = drain == null ? null : drain.requestedBy();
            context.conversation().ask(batch -> runner.steer(drainedBy, batch));
        }
        seen = List.of();
    }

    @Override
    public void roleChanged(String election, Role role) {
        if (!isLookingSoon) {
            isLookingSoon = true;
            loop.alarm(clock.nanos() + lease.toNanos() / SOON, () -> {
                isLookingSoon = false;
                seen();
            });
        }
    }

    @Override
    public void left() {
        rebalancing.left();
        withoutCandidates.clear();
    }

    @Override
    public void seen() {
        KnownMembers known = membership.known();
        health.look(known);
        if (known.isComplete()) {
            lookForDrain(known.drains());
        }
        boolean isReliable = known.isComplete() && known.isStoreReachable();
        if (!known.members().equals(seen) || isReliable != wasReliable) {
            seen = known.members();
            wasReliable = isReliable;
            Balance balance = balances.of(seen);
            runners.forEach((election, runner) -> {
                Succession succession = Succession.of(election, known.all(), steering, balance);
                runner.place(isReliable ? placeIn(succession, runner) : OptionalInt.empty());
                tellOfDrained(election, succession, runner);
                tellOfDown(election, succession, runner);
            });
        }
        rebalancing.look();
        handOver();
    }

    /** Begins the hand-overs that are due, the one first whose earlier tries have failed least often: for balance, one at a time. */
    private void handOver() {
        handOvers.sort(Comparator.comparingInt(HandOvers::failedTries));
        handOvers.forEach(HandOvers::look);
    }

    /**
     * Returns the place of this process. Of balanced candidates only the first two ask at once, unless a process leads one of several elections at most:
     * then both may have got another one.
     */
    private OptionalInt placeIn(Succession succession, ElectionRunner runner) {
        OptionalInt place = succession.placeOf(membership.own().instance());
        return succession.isBalanced() && !runner.isOneOfSeveral() && place.orElse(0) > 1
                ? OptionalInt.of(QueueTimings.LAST)
                : place;
    }

    private void tellOfDrained(String election, Succession succession, ElectionRunner runner) {
        if (!succession.isEveryoneDrained() || runner.isOneOfSeveral()) {
            withoutCandidates.remove(election);
        } else if (!withoutCandidates.containsKey(election)) {
            Long since = clock.nanos();
            withoutCandidates.put(election, since);
            loop.alarm(since + lease.toNanos(), () -> warnIfDrainedSince(election, since));
        }
    }

    /** Logs an election whose members are all drained. A lease later: a node that cools down has no role, but mostly returns within a lease. */
    private void warnIfDrainedSince(String election, Long since) {
        if (since.equals(withoutCandidates.get(election))) {
            log.warn(
                    "Nobody may lead the election '{}': all members that take part are drained or cooling down. Set a"
                            + " drained one to active",
                    election);
        }
    }

    private void tellOfDown(String election, Succession succession, ElectionRunner runner) {
        if (!succession.isEveryoneDown() || runner.tenure() == null) {
            leadingDown.ends(election);
        } else if (leadingDown.begins(election)) {
            log.warn(
                    "All candidates of the election '{}' are down: this node, which is down too, keeps leading",
                    election);
        }
    }

    private void lookForDrain(Drains drains) {
        Drain ordered = drains.byNode().get(node);
        if (ordered != null) {
            drainedIn = drains.roster();
            obey(ordered);
        } else if (drain != null && isOrderLost(drain, drains)) {
            orderAgain(drain);
        } else {
            obey(null);
        }
    }

    /** Whether an order is missing without being revoked: it was not written yet, has expired, or the store has lost its data. */
    private boolean isOrderLost(Drain obeyed, Drains drains) {
        return drainedIn == null
                || !drainedIn.equals(drains.roster())
                || drains.expired().contains(obeyed.node());
    }

    private void orderAgain(Drain lost) {
        Long before = orderedAt;
        if (before == null || clock.nanos() - before >= lease.toNanos()) {
            orderedAt = clock.nanos();
            drainedIn = null;
            CompletionStage<DrainOutcome> unused = membership.drain(lost);
        }
    }

    private void obey(@Nullable Drain next) {
        Drain before = drain;
        drain = next;
        boolean wasHolding = isHolding;
        isHolding = false;
        if (next != null && before == null) {
            log.info(
                    "{} is drained since {} by {}: it leads nothing until that is revoked",
                    node,
                    next.since(),
                    next.requestedBy());
        } else if (next == null && before != null) {
            log.info("{} is drained no longer", node);
        }
        if (wasHolding || (before == null) != (next == null)) {
            String drainedBy = next == null ? null : next.requestedBy();
            context.conversation().ask(batch -> runners.values().forEach(runner -> runner.steer(drainedBy, batch)));
        }
    }
}
