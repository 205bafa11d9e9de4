package dev.election.members;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * The members, the processes that share a store, as far as this one knows. All answers come from a copy in memory: no call waits for the store.
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

    /**
     * The member with that node id as the store itself has confirmed it, without messages, which everyone who may publish can forge. Call this
     * before something secret is sent to the address of a member. If {@link #find} returns anything else, this call makes the process ask the
     * store: its answer is here within a sixth of a lease.
     */
    Optional<Member> confirmed(String id);

    /** The members with that role in an election, in the order in which they joined. */
    List<Member> withRole(String election, MemberRole role);

    /** The members with that capability, in the order in which they joined. */
    List<Member> withCapability(String name);

    /** The member that leads an election, as the members describe themselves. For a decision that must be safe, ask the election itself. */
    Optional<Member> leader(String election);

    /**
     * The candidates of an election in their order of succession, without the leader. Without steering that is the order in which they joined.
     * The order is not binding: a later candidate leads if it asks the store first.
     */
    List<Member> candidates(String election);

    /** The order in which the members should lead an election, the leader and drained members included, and why it is so. */
    List<Successor> succession(String election);

    /** The orders to drain nodes, by node id, also for nodes that are no members. */
    List<Drain> drains();

    /**
     * Orders that a node leads nothing until that is revoked: it hands over all that it leads after its running work. The store keeps the
     * order under the node id for 30 days, and for longer while the node is a member. Only nodes with steering obey. The stage does not wait until
     * the node has handed over, and never completes exceptionally.
     *
     * @param requestedBy who gives the order, and why; cut off after 256 characters
     * @throws IllegalArgumentException if no node can have that id
     */
    CompletionStage<DrainOutcome> drain(String node, String requestedBy);

    /**
     * Revokes the order that a node leads nothing. Where there is no such order nothing changes. The stage never completes
     * exceptionally.
     *
     * @throws IllegalArgumentException if no node can have that id
     */
    CompletionStage<DrainOutcome> activate(String node, String requestedBy);

    /** The number of members. */
    int count();

    /**
     * Waits until a complete copy shows that many members, this process included. Returns whether it does.
     *
     * @param timeout the longest wait; zero or less only looks
     */
    boolean await(int count, Duration timeout) throws InterruptedException;

    /**
     * The condition for which this process waits before it campaigns in an election, such as {@code waits for 3 members, 2 are here}. Empty if it
     * does not wait, or does not know the members yet.
     */
    Optional<String> waitsFor(String election);

    /** This process. */
    Member own();

    /**
     * Adds or replaces a description of this process, which the others see soon.
     *
     * @param key 1 to 64 of A-Z a-z 0-9 . _ : -
     * @param value {@code null} to remove the description
     * @throws IllegalArgumentException if the key is no such name, or the description of this process would exceed 4 kB
     */
    void setMetadata(String key, @Nullable String value);

    /**
     * Sets where this process is reached, which a web server knows only once it listens.
     *
     * @param uri the address of the web server
     * @param managementUri the address of the management endpoints if that is elsewhere, otherwise empty
     * @throws IllegalArgumentException if the description of this process would exceed 4 kB
     */
    void setUri(String uri, String managementUri);

    /** Returns how far the copy can be relied on. */
    MembersView view();

    /** Adds a listener. It first receives a {@link MemberJoined} for each member that is there. */
    void addListener(MemberListener listener);

    /** Removes a listener. It may still receive an event that has already been dispatched. */
    void removeListener(MemberListener listener);

    /**
     * The reliability of the copy of the members.
     *
     * @param isComplete whether the store has returned all members since this process started. Until then nothing can be concluded from a
     *     member that is missing
     * @param age how long ago the store confirmed the copy; zero if it is not complete
     * @param isStoreReachable whether the store answered the latest heartbeat
     */
    record MembersView(boolean isComplete, Duration age, boolean isStoreReachable) {}
}
