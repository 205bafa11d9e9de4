package dev.election.internal.members;

import dev.election.Steering;
import dev.election.internal.succession.Balance;
import java.util.Comparator;
import java.util.List;

/**
 * The balanced order of all elections by the members that it was last made for. With hundreds of elections it takes milliseconds, so that it is
 * made once for equal members. On any thread.
 */
public final class LatestBalance {

    private final Steering steering;
    private volatile Made latest = new Made(List.of(), Balance.NONE);

    private record Made(List<RosterCopy.Known> members, Balance balance) {}

    public LatestBalance(Steering steering) {
        this.steering = steering;
    }

    /** Returns the balanced order by these members. */
    public Balance of(List<RosterCopy.Known> members) {
        Made made = latest;
        if (made.members() != members) {
            made = new Made(members, made.members().equals(members) ? made.balance() : balance(members));
            latest = made;
        }
        return made.balance();
    }

    /** The numbers of changes order the members, but in a store that does not count changes. */
    private Balance balance(List<RosterCopy.Known> members) {
        return Balance.of(
                members.stream()
                        .sorted(Comparator.comparingLong(RosterCopy.Known::number))
                        .map(RosterCopy.Known::member)
                        .toList(),
                members.stream().anyMatch(known -> known.number() > 0),
                steering);
    }
}
