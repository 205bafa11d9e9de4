package dev.election.members;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
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

    /**
     * The member with that node id by what the store itself has said, without messages, which everyone who may publish can forge. Ask this
     * before something secret is sent to the address of a member. A member of which only messages tell yet, or tell something else, is asked
     * for: what the store says is here within a sixth of a lease.
     */
    Optional<Member> confirmed(String id);

    /** The members with that role in an election, in the order in which they joined. */
    List<Member> withRole(String election, MemberRole role);

    /** The members with that capability, in the order in which they joined. */
    List<Member> withCapability(String name);

    /** The member that leads an election, by what members say. For a decision that must be safe, ask the election itself. */
    Optional<Member> leader(String election);

    /**
     * The candidates of an election in their order of succession, without the leader. Without steering that is the order in which they joined.
     * The order is not binding: a later candidate leads if it asks the store first.
     */
    List<Member> candidates(String election);

    /** The order in which the members should lead an election, the leader and drained members included, and why it is so. */
    List<Successor> succession(String election);

    /** The orders to drain nodes, also of nodes that are not there, by node id. */
    List<Drain> drains();

    /**
     * Orders that a node leads nothing until that is revoked: it hands over all that it leads after its running work. The store keeps the
     * order under the node id for 30 days, and for longer while the node is a member. Only nodes with steering obey.
     *
     * @param requestedBy who gives the order, and why; what exceeds 256 characters is cut off
     * @throws IllegalArgumentException if no node can have that id
     */
    CompletionStage<DrainOutcome> drain(String node, String requestedBy);

    /**
     * Revokes the order that a node leads nothing. Where there is no such order nothing changes.
     *
     * @throws IllegalArgumentException if no node can have that id
     */
    CompletionStage<DrainOutcome> activate(String node, String requestedBy);

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
