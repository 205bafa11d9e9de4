package dev.election.internal.members;

import dev.election.support.LogLimit;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Finds live processes with the same node id among the members. A process that was killed remains a member for two and a half leases, and its
 * successor under the same id must not report it. Another instance is alive if it has joined or changed after this one has joined. A store
 * that does not number changes can't tell: there it is alive if it is still a member when every beat from before that time has expired.
 */
final class DuplicateMembers {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Most instances that are logged: a client that may write the members can invent any number. */
    private static final int MOST_KNOWN = 100;

    private final LogLimit limit = LogLimit.once(MOST_KNOWN);

    /** Instances of this process before its latest start. */
    private final Set<String> former = new HashSet<>();

    /** Records that this process was that instance until now. */
    void leave(String instance) {
        former.add(instance);
    }

    /**
     * Logs the duplicates in a complete copy of the members.
     *
     * @param own the entry of this process
     * @param hasOutlived whether every beat from before this process joined has expired
     */
    void look(RosterCopy.Known own, Collection<RosterCopy.Known> members, boolean hasOutlived) {
        for (RosterCopy.Known other : members) {
            String instance = other.member().instance();
            if (!other.member().id().equals(own.member().id())
                    || instance.equals(own.member().instance())
                    || former.contains(instance)) {
                continue;
            }
            boolean isAlive = other.number() > 0 ? other.number() > own.member().order() : hasOutlived;
            if (isAlive && limit.begins(instance)) {
                log.warn(
                        "Another live process takes part in elections in this store with the same node id {}: leadership"
                                + " is safe, but logs and histories can't distinguish the two. Set a unique"
                                + " node id in each process, or leave it unset",
                        own.member().id());
            }
        }
    }
}
