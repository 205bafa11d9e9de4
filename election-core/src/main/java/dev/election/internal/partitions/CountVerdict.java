package dev.election.internal.partitions;

import java.util.Collection;
import org.jspecify.annotations.Nullable;

/** The knowledge of a process about the count of a group, by which it takes part in the group or not. */
sealed interface CountVerdict {

    /** The store has the count of this process, which takes part in all partitions. */
    record Agreed() implements CountVerdict {}

    /**
     * The group has another count: this process leads nothing in it.
     *
     * @param count the other count, as it was written
     */
    record Differing(String count) implements CountVerdict {}

    /** The store has no count: this process campaigns for the first partition only, whose leader writes it. */
    record Missing() implements CountVerdict {}

    /** Nothing was read yet. */
    record Unread() implements CountVerdict {}

    /**
     * Decides by the count in the store and, without one, by those that living members know: the store may have lost it.
     *
     * @param own the count of this process
     * @param stored the count in the store, {@code null} if it has none
     * @param known the counts that other members have read in the store
     */
    static CountVerdict of(String own, @Nullable String stored, Collection<String> known) {
        if (stored != null) {
            return stored.equals(own) ? new Agreed() : new Differing(stored);
        }
        return known.stream()
                .filter(other -> !other.equals(own))
                .findFirst()
                .<CountVerdict>map(Differing::new)
                .orElseGet(Missing::new);
    }
}
