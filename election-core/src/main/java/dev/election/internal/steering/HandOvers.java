package dev.election.internal.steering;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.Steering;
import dev.election.engine.Loop;
import dev.election.internal.election.ElectionRunner;
import dev.election.internal.members.KnownMembers;
import dev.election.internal.members.Membership;
import dev.election.internal.members.MinimumMembers;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.succession.GroupSuccession;
import dev.election.internal.succession.Succession;
import dev.election.members.Member;
import dev.election.store.ReadReply;
import dev.election.support.PartitionName;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Hands the leadership of one election over when a {@link HandOver} is due. Only then the history of the election is read from the store. Used on
 * the loop only.
 */
final class HandOvers {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Longest time for which leadership is reserved for the successor, and for which this node does not campaign. */
    static final Duration RESERVE = Duration.ofSeconds(3);

    private final Steering steering;
    private final ElectionRunner runner;
    private final Membership membership;
    private final Rebalancing rebalancing;
    private final MinimumMembers minimum;
    private final Duration lease;
    private final EngineContext context;

    /** The leadership that the fields below are about. */
    private @Nullable FencingToken token;

    /** The least time that this node leads before it is preempted, {@code null} while the history is not known. */
    private @Nullable Duration wait;

    /** When the history was requested, {@code null} if no answer is awaited. */
    private @Nullable Long askedAt;

    /** Hand-overs that the running work has prevented. */
    private int failedTries;

    /** When the wait began: with the leadership, or with the latest hand-over. */
    private long begun;

    private @Nullable String better;
    private long betterSince;
    private Loop.@Nullable Alarm alarm;

    /** When all better processes began to be left to worse leaders of a group of one per process; {@code null} if one is not. */
    private @Nullable Long waitsSince;

    HandOvers(
            Steering steering,
            ElectionRunner runner,
            Membership membership,
            Rebalancing rebalancing,
            MinimumMembers minimum,
            EngineContext context) {
        this.steering = steering;
        this.rebalancing = rebalancing;
        this.minimum = minimum;
        this.runner = runner;
        this.membership = membership;
        this.lease = membership.own().lease();
        this.context = context;
    }

    /** Returns how often running work has prevented a hand-over of the present leadership. */
    int failedTries() {
        return failedTries;
    }

    /** Plans or carries out the next hand-over. Called when the members or the role of this process may have changed. */
    void look() {
        HeldLease held = runner.tenure();
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
        if (held == null) {
            return;
        }
        if (!held.token().equals(token)) {
            token = held.token();
            wait = null;
            failedTries = 0;
            begun = held.begun();
            better = null;
            waitsSince = null;
        }
        plan(held.token());
    }

    private void plan(FencingToken present) {
        KnownMembers known = membership.known();
        Long confirmedAt = known.confirmedAt();
        // A candidate that waits for more members would not campaign.
        if (confirmedAt == null || !known.isStoreReachable() || !minimum.areHere(runner.name())) {
            better = null;
            waitsSince = null;
            return;
        }
        String own = membership.own().instance();
        Succession order = order(known);
        String now = order.successorOf(own).map(Member::instance).orElse(null);
        if (now == null || !now.equals(better)) {
            better = now;
            betterSince = confirmedAt;
        }
        boolean isConfirmed = better != null && confirmedAt - betterSince >= lease.toNanos();
        Optional<HandOver> forBalance = rebalancing
                .successorIn(runner.name(), order)
                .map(member -> HandOver.forBalance(order, member, begun, failedTries, lease));
        if (forBalance.isPresent() && isDue(forBalance.get())) {
            rebalancing.begin(runner, forBalance.get().successor());
        }
        forBalance
                .or(() -> HandOver.of(
                        order, rotating(), own, begun, isConfirmed, wait == null ? steering.minimumTenure() : wait))
                .ifPresent(due -> carryOut(due, present));
    }

    /** Returns the order of succession. If each process leads one of a group at most, its leaders do not hand over to the same one. */
    private Succession order(KnownMembers known) {
        String election = runner.name();
        Succession order = inOrder(election, known);
        if (!runner.isOneOfSeveral() || !maySoonHandOver(order)) {
            waitsSince = null;
            return order;
        }
        Collection<String> group = runner.alternatives();
        Map<String, Member> leaders = new HashMap<>();
        group.forEach(name -> known.confirmedLeader(name).ifPresent(leader -> leaders.put(name, leader)));
        leaders.put(election, membership.own().member());
        List<Succession> orders =
                group.stream().map(name -> inOrder(name, known)).toList();
        Succession rest = order.without(GroupSuccession.takenFrom(election, orders, leaders, 0));
        if (hasBetter(rest)) {
            waitsSince = null;
            return rest;
        }
        return order.without(GroupSuccession.takenFrom(election, orders, leaders, passed()));
    }

    /** Returns how many worse leaders have had the time to hand over. Their running work may prevent that for ever. */
    private long passed() {
        long now = context.clock().nanos();
        if (waitsSince == null) {
            waitsSince = now;
        }
        Duration turn = steering.minimumTenure().plus(lease.multipliedBy(2)).plus(runner.drain());
        return (now - waitsSince) / turn.toNanos();
    }

    private boolean hasBetter(Succession order) {
        return order.insteadOf(membership.own().instance()).isPresent();
    }

    private boolean maySoonHandOver(Succession order) {
        Duration maximum = steering.maximumTenure();
        return hasBetter(order) || (maximum != null && context.clock().nanos() - begun >= maximum.toNanos());
    }

    private Succession inOrder(String election, KnownMembers known) {
        return Succession.of(election, known.allConfirmed(), steering, rebalancing.balance());
    }

    /** Returns the steering by which the leaders of a group of which each process leads one at most do not hand over at the same time for their tenure. */
    private Steering rotating() {
        Duration maximum = steering.maximumTenure();
        return maximum == null || !runner.isOneOfSeveral()
                ? steering
                : steering.tenure(
                        steering.minimumTenure(),
                        maximum.plus(lease.multipliedBy(PartitionName.indexOf(runner.name()))));
    }

    private boolean isDue(HandOver handOver) {
        return handOver.at() - context.clock().nanos() <= 0;
    }

    private void carryOut(HandOver due, FencingToken present) {
        if (!isDue(due)) {
            alarm = context.loop().alarm(due.at(), this::look);
        } else if (due.isPreemption() && wait == null) {
            readHistory(present);
        } else {
            log.info(
                    "This node hands the election '{}' over to {}: {}",
                    runner.name(),
                    due.successor().id(),
                    due.reason());
            failedTries++;
            begun = context.clock().nanos();
            wait = null;
            // If the successor has just died, nobody leads for no longer than after a leader's death.
            Duration reserve = runner.lease().compareTo(RESERVE) < 0 ? runner.lease() : RESERVE;
            runner.handOver(new Abdication(null, reserve, due.successor().id(), reserve, due.reason()));
        }
    }

    private void readHistory(FencingToken present) {
        Long asked = askedAt;
        if (asked == null || context.clock().nanos() - asked > lease.toNanos()) {
            askedAt = context.clock().nanos();
            context.store().read(runner.name()).thenAccept(reply -> context.loop()
                    .offer(() -> {
                        askedAt = null;
                        if (present.equals(token) && reply instanceof ReadReply.Read read) {
                            wait = HandOver.waitAfter(read.view().leaderships(), failedTries, steering, lease);
                            look();
                        }
                    }));
        }
    }
}
