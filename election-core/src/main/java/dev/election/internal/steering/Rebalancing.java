package dev.election.internal.steering;

import dev.election.engine.Loop;
import dev.election.internal.election.ElectionRunner;
import dev.election.internal.members.KnownMembers;
import dev.election.internal.members.LatestBalance;
import dev.election.internal.members.Membership;
import dev.election.internal.members.RosterCopy;
import dev.election.internal.protocol.HeldLease;
import dev.election.internal.requests.EngineContext;
import dev.election.internal.succession.Balance;
import dev.election.internal.succession.Succession;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import java.time.Duration;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The hand-overs of this process for balance: one at a time, and each only after the store has confirmed for a whole lease that something should move to
 * the same member. As long as each successor then leads, the next hand-over needs no other confirmation. Used on the loop only.
 */
final class Rebalancing {

    /** How often the members are read until they show that a successor leads. */
    private static final long AGAIN = Duration.ofMillis(100).toNanos();

    private final LatestBalance balances;
    private final Membership membership;
    private final Duration lease;
    private final EngineContext context;
    private final Collection<ElectionRunner> runners;
    private final Runnable next;

    /** The confirmed members of the balance below. */
    private List<RosterCopy.Known> seen = List.of();

    private Balance balance = Balance.NONE;

    /** Since when something of this process should move to a member without interruption, by instance: when the beat was sent. */
    private Map<String, Long> since = new HashMap<>();

    /** To whom this process should hand elections over, by election. */
    private Map<String, String> moves = Map.of();

    /** Elections that this process has begun to hand over. It may lead one still, or again: then another one moves before that. */
    private final Set<String> tried = new HashSet<>();

    private @Nullable Move move;
    private Loop.@Nullable Alarm alarm;

    /**
     * A hand-over that is not over yet.
     *
     * @param releasedAt when this process first was seen without the lease, {@code null} before that
     */
    private record Move(ElectionRunner runner, String successor, long begun, @Nullable Long releasedAt) {}

    /**
     * @param runners the elections of this process, also those that join later
     * @param next looks for hand-overs that are due
     */
    Rebalancing(
            LatestBalance balances,
            Membership membership,
            EngineContext context,
            Collection<ElectionRunner> runners,
            Runnable next) {
        this.balances = balances;
        this.membership = membership;
        this.lease = membership.own().lease();
        this.context = context;
        this.runners = runners;
        this.next = next;
    }

    /** Returns the balanced order by the confirmed members. */
    Balance balance() {
        return balance;
    }

    void left() {
        move = null;
        tried.clear();
        since.clear();
        cancel();
    }

    private void cancel() {
        if (alarm != null) {
            alarm.cancel();
            alarm = null;
        }
    }

    /** Takes the latest copy of the members. */
    void look() {
        KnownMembers known = membership.known();
        Long confirmedAt = known.confirmedAt();
        if (confirmedAt == null || !known.isStoreReachable()) {
            since.clear();
            return;
        }
        if (known.confirmed() != seen) {
            seen = known.confirmed();
            balance = balances.of(seen);
            Map<String, Long> still = new HashMap<>();
            balance.successorsOf(membership.own().instance())
                    .forEach(to -> still.put(to, since.getOrDefault(to, confirmedAt)));
            since = still;
        }
        moves = latest(membership.own().instance());
        follow(known, confirmedAt);
        plan(confirmedAt);
    }

    /**
     * Returns as many moves to each member as the balance says, of the elections that this process got last. In a rolling deployment these came from a
     * process that was stopped, and the next one to join gets them: so hardly any election moves more than twice. One that admits no work yet can't move
     * now, and of a group of which a process leads one at most, the members expect what the balance says.
     */
    private Map<String, String> latest(String own) {
        Map<String, String> planned = new HashMap<>();
        Map<String, Integer> counts = new TreeMap<>();
        Map<String, Long> movable = new HashMap<>();
        for (ElectionRunner runner : runners) {
            if (runner.heldLease() != null) {
                balance.insteadOf(own, runner.name()).ifPresent(to -> {
                    planned.put(runner.name(), to);
                    counts.merge(to, 1, Integer::sum);
                });
            }
            HeldLease held = runner.tenure();
            if (held != null && (planned.containsKey(runner.name()) || !runner.isOneOfSeveral())) {
                movable.put(runner.name(), held.begun());
            }
        }
        List<String> latest = movable.keySet().stream()
                .sorted(Comparator.<String, Boolean>comparing(tried::contains)
                        .thenComparing(
                                Comparator.<String>comparingLong(movable::get).reversed())
                        .thenComparing(election -> !planned.containsKey(election))
                        .thenComparing(Comparator.naturalOrder()))
                .toList();
        Map<String, String> chosen = new HashMap<>();
        counts.forEach((to, count) -> latest.stream()
                .filter(election -> !chosen.containsKey(election) && balance.couldMove(election, own, to))
                .limit(count)
                .toList()
                .forEach(election -> chosen.put(election, to)));
        return chosen;
    }

    /** Notices the end of the hand-over under way. */
    private void follow(KnownMembers known, long confirmedAt) {
        Move present = move;
        if (present == null) {
            return;
        }
        String election = present.runner().name();
        long now = context.clock().nanos();
        boolean isReleased = membership.own().roles().get(election) != MemberRole.LEADER;
        if (known.confirmed().stream()
                .map(RosterCopy.Known::member)
                .anyMatch(member -> member.instance().equals(present.successor())
                        && member.roles().get(election) == MemberRole.LEADER)) {
            move = null;
        } else if (present.releasedAt() == null) {
            if (isReleased) {
                move = new Move(present.runner(), present.successor(), present.begun(), now);
            } else if (present.runner().tenure() != null && confirmedAt - present.begun() > 0) {
                // The running work has prevented it.
                move = null;
            }
        } else if (!isReleased || now - present.releasedAt() > HandOvers.RESERVE.toNanos()) {
            // The successor may be gone, also where this process leads again.
            move = null;
            since.put(present.successor(), now + lease.toNanos());
        }
    }

    private void plan(long confirmedAt) {
        cancel();
        long now = context.clock().nanos();
        if (move != null) {
            alarm = move.releasedAt() == null ? null : context.loop().alarm(now + AGAIN, this::confirm);
            return;
        }
        since.values().stream()
                .filter(begun -> !isConfirmed(begun, confirmedAt))
                .mapToLong(begun -> Math.max(begun + lease.toNanos(), now + AGAIN))
                .min()
                .ifPresent(at -> alarm = context.loop().alarm(at, this::confirm));
    }

    private void confirm() {
        membership.confirmSoon();
        look();
        next.run();
    }

    private boolean isConfirmed(long begun, long confirmedAt) {
        return confirmedAt - begun >= lease.toNanos();
    }

    /** Returns the member to which this process, the leader, should hand an election over now; empty if there is none. */
    Optional<Member> successorIn(String election, Succession order) {
        Long confirmedAt = membership.known().confirmedAt();
        if (move != null || confirmedAt == null) {
            return Optional.empty();
        }
        return Optional.ofNullable(moves.get(election)).flatMap(order::eligible).filter(member -> {
            Long begun = since.get(member.instance());
            return begun != null && isConfirmed(begun, confirmedAt);
        });
    }

    /** Notes that a hand-over begins. */
    void begin(ElectionRunner runner, Member successor) {
        move = new Move(runner, successor.instance(), context.clock().nanos(), null);
        tried.add(runner.name());
    }
}
