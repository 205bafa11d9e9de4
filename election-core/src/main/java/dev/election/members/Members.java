package dev.election.members;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The processes that are there, as far as this one knows. All answers come from a copy in memory: no call waits for the store.
 *
 * <p>The copy is confirmed by the store with each heartbeat, which is due once a lease and travels with a request that the process sends anyway,
 * 1.6 leases after the one before at the latest. A process that stops is gone at once. One that was killed is gone two and a half leases after
 * its last heartbeat. Whether the copy can be relied on says {@link #view}: before it is complete, an empty answer does not mean that nobody
 * is there.
 */
public interface Members {

    /** All members in the order in which they joined, this process included. */
    List<Member> all();

    /** The member with that node id. If there are several, the one that joined last. */
    Optional<Member> find(String id);

    /** The members with that role in an election, in the order in which they joined. */
    List<Member> withRole(String election, MemberRole role);

    /** The members with that capability, in the order in which they joined. */
    List<Member> withCapability(String name);

    /** The member that leads an election, by what members say. For a decision that must be safe, ask the election itself. */
    Optional<Member> leader(String election);

    /**
     * The candidates of an election in their order of succession, which is the order in which they joined, without the leader. The order is
     * not binding: a later candidate leads if it asks the store first.
     */
    List<Member> candidates(String election);

    /** How many members there are. */
    int count();

    /** This process. */
    Member own();

    /**
     * Adds or replaces a description of this process, which the others see soon.
     *
     * @param key 1 to 64 of A-Z a-z 0-9 . _ : -
     * @param value {@code null} to remove the description
     * @throws IllegalArgumentException if the key is no such name, or all that this process says of itself would exceed 4 kB
     */
    void setMetadata(String key, @Nullable String value);

    /**
     * Says where this process is reached, which a web server knows only once it listens.
     *
     * @param uri of the web server
     * @param managementUri of the management endpoints if that is elsewhere, otherwise empty
     */
    void setUri(String uri, String managementUri);

    /** How far the copy can be relied on. */
    MembersView view();

    /** Adds a listener. It is first told of all who are there. */
    void addListener(MemberListener listener);

    /** Removes a listener. */
    void removeListener(MemberListener listener);

    /**
     * How far the copy of the members can be relied on.
     *
     * @param isComplete whether the store has told all members since this process started. Until then nothing can be concluded from a
     *     member that is missing
     * @param age how long ago the store confirmed the copy; zero if it is not complete
     * @param isStoreReachable whether the store answered the latest heartbeat
     */
    record MembersView(boolean isComplete, Duration age, boolean isStoreReachable) {}
}
