package dev.election.internal.members;

import dev.election.members.Member;
import dev.election.members.MemberRole;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of the members for readers.
 *
 * @param members in the order in which they joined, as replies and messages said
 * @param confirmed the members as replies of the store alone said
 * @param drains the orders to drain nodes
 * @param confirmedAt when the beat was sent whose reply confirmed the members, on the monotonic clock; {@code null} before the first one
 * @param isStoreReachable whether the latest beat was answered
 */
public record KnownMembers(
        List<RosterCopy.Known> members,
        List<RosterCopy.Known> confirmed,
        Drains drains,
        @Nullable Long confirmedAt,
        boolean isStoreReachable) {

    private static final Comparator<RosterCopy.Known> BY_ORDER = Comparator.<RosterCopy.Known>comparingLong(
                    known -> known.member().order())
            .thenComparing(known -> known.member().instance());

    public static final KnownMembers NONE = new KnownMembers(List.of(), List.of(), Drains.NONE, null, false);

    KnownMembers with(Collection<RosterCopy.Known> others) {
        return new KnownMembers(sorted(others.stream()), confirmed, drains, confirmedAt, isStoreReachable);
    }

    /** Replaces the entry of this process, if there is one, by its own description. */
    KnownMembers describing(OwnMember own) {
        return new KnownMembers(
                members.stream()
                        .map(known -> known.member().instance().equals(own.instance()) ? known.as(own) : known)
                        .toList(),
                confirmed,
                drains,
                confirmedAt,
                isStoreReachable);
    }

    /** Takes the members of a complete reply of the store. */
    public KnownMembers confirmed(Collection<RosterCopy.Known> all, Drains orders, long at) {
        return new KnownMembers(
                members, sorted(all.stream().map(known -> known.drainedBy(orders.byNode()))), orders, at, true);
    }

    KnownMembers reachable(boolean answered) {
        return new KnownMembers(members, confirmed, drains, confirmedAt, answered);
    }

    private static List<RosterCopy.Known> sorted(Stream<RosterCopy.Known> all) {
        return all.sorted(BY_ORDER).toList();
    }

    /** Whether the store has named all members. */
    public boolean isComplete() {
        return confirmedAt != null;
    }

    /** Returns the member of that instance, {@code null} if there is none. */
    @Nullable
    public Member instance(String instance) {
        for (RosterCopy.Known known : members) {
            if (known.member().instance().equals(instance)) {
                return known.member();
            }
        }
        return null;
    }

    public List<Member> all() {
        return where(member -> true);
    }

    /** Returns the members as replies of the store alone said. */
    public List<Member> allConfirmed() {
        return confirmed.stream().map(RosterCopy.Known::member).toList();
    }

    /** Returns the confirmed member with that id that joined last. */
    public Optional<Member> confirmed(String id) {
        return confirmed.stream()
                .map(RosterCopy.Known::member)
                .filter(member -> member.id().equals(id))
                .reduce((earlier, later) -> later);
    }

    public List<Member> where(Predicate<Member> condition) {
        return members.stream().map(RosterCopy.Known::member).filter(condition).toList();
    }

    /** Returns the leader of an election. While leadership moves two members may say that they lead: then the one that has changed last. */
    public Optional<Member> leader(String election) {
        return leader(election, members);
    }

    /** Returns the leader of an election as replies of the store alone said. */
    public Optional<Member> confirmedLeader(String election) {
        return leader(election, confirmed);
    }

    private static Optional<Member> leader(String election, List<RosterCopy.Known> of) {
        return of.stream()
                .filter(known -> known.member().roles().get(election) == MemberRole.LEADER)
                .max(Comparator.comparingLong(RosterCopy.Known::number))
                .map(RosterCopy.Known::member);
    }
}
