package dev.election.internal.engine;

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
 * The members as readers see them. One immutable object.
 *
 * @param members in the order in which they joined
 * @param confirmed those that the store itself has told
 * @param drains the orders to drain nodes
 * @param confirmedAt when the beat was sent whose reply confirmed them, on the monotonic clock; {@code null} before the first one
 * @param isStoreReachable whether the latest beat was answered
 */
record KnownMembers(
        List<RosterCopy.Known> members,
        List<RosterCopy.Known> confirmed,
        Drains drains,
        @Nullable Long confirmedAt,
        boolean isStoreReachable) {

    private static final Comparator<RosterCopy.Known> BY_ORDER = Comparator.<RosterCopy.Known>comparingLong(
                    known -> known.member().order())
            .thenComparing(known -> known.member().instance());

    static final KnownMembers NONE = new KnownMembers(List.of(), List.of(), Drains.NONE, null, false);

    KnownMembers with(Collection<RosterCopy.Known> others) {
        return new KnownMembers(sorted(others.stream()), confirmed, drains, confirmedAt, isStoreReachable);
    }

    /** The same with this process as it describes itself, if it is listed. */
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

    /** The same after a reply that left nothing out. */
    KnownMembers confirmed(Collection<RosterCopy.Known> all, Drains orders, long at) {
        return new KnownMembers(
                members, sorted(all.stream().map(known -> known.drainedBy(orders.byNode()))), orders, at, true);
    }

    KnownMembers reachable(boolean answered) {
        return new KnownMembers(members, confirmed, drains, confirmedAt, answered);
    }

    private static List<RosterCopy.Known> sorted(Stream<RosterCopy.Known> all) {
        return all.sorted(BY_ORDER).toList();
    }

    /** Whether the store has told all members. */
    boolean isComplete() {
        return confirmedAt != null;
    }

    /** The member of that instance. */
    @Nullable
    Member instance(String instance) {
        for (RosterCopy.Known known : members) {
            if (known.member().instance().equals(instance)) {
                return known.member();
            }
        }
        return null;
    }

    List<Member> all() {
        return where(member -> true);
    }

    /** Those that the store itself has told. */
    List<Member> allConfirmed() {
        return confirmed.stream().map(RosterCopy.Known::member).toList();
    }

    /** The member with that id that joined last, among those that the store itself has told. */
    Optional<Member> confirmed(String id) {
        return confirmed.stream()
                .map(RosterCopy.Known::member)
                .filter(member -> member.id().equals(id))
                .reduce((earlier, later) -> later);
    }

    List<Member> where(Predicate<Member> condition) {
        return members.stream().map(RosterCopy.Known::member).filter(condition).toList();
    }

    /** While leadership moves two may say that they lead: the one that has said something last. */
    Optional<Member> leader(String election) {
        return members.stream()
                .filter(known -> known.member().roles().get(election) == MemberRole.LEADER)
                .max(Comparator.comparingLong(RosterCopy.Known::number))
                .map(RosterCopy.Known::member);
    }
}
