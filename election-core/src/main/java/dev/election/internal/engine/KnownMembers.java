package dev.election.internal.engine;

import dev.election.members.Member;
import dev.election.members.MemberRole;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The members as readers see them. One immutable object.
 *
 * @param members in the order in which they joined
 * @param confirmedAt when the beat was sent whose reply confirmed them, on the monotonic clock; {@code null} before the first one
 * @param isStoreReachable whether the latest beat was answered
 */
record KnownMembers(List<RosterCopy.Known> members, @Nullable Long confirmedAt, boolean isStoreReachable) {

    private static final Comparator<RosterCopy.Known> BY_ORDER = Comparator.<RosterCopy.Known>comparingLong(
                    known -> known.member().order())
            .thenComparing(known -> known.member().instance());

    static final KnownMembers NONE = new KnownMembers(List.of(), null, false);

    KnownMembers with(Collection<RosterCopy.Known> others) {
        return new KnownMembers(others.stream().sorted(BY_ORDER).toList(), confirmedAt, isStoreReachable);
    }

    KnownMembers confirmed(long at) {
        return new KnownMembers(members, at, true);
    }

    KnownMembers reachable(boolean answered) {
        return new KnownMembers(members, confirmedAt, answered);
    }

    List<Member> all() {
        return where(member -> true);
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
