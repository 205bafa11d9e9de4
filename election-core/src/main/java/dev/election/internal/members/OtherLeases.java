package dev.election.internal.members;

import dev.election.members.Member;
import dev.election.support.LogLimit;
import dev.election.support.ReadableDuration;
import java.util.Collection;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs members of the same application with another lease, which is a rolling change or a mistake in the settings of a replica. */
final class OtherLeases {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Most leases that are logged: a client that may write the members can invent any number. */
    private static final int MOST_KNOWN = 10;

    private final LogLimit limit = LogLimit.once(MOST_KNOWN);

    /** Logs the other leases in a complete copy of the members. */
    void look(Member own, Collection<RosterCopy.Known> members) {
        for (RosterCopy.Known each : members) {
            Member other = each.member();
            boolean differs = !other.lease().isZero()
                    && !other.lease().equals(own.lease())
                    && other.application().equals(own.application());
            if (differs && limit.begins(other.lease())) {
                log.warn(
                        "The member {} has a lease of {}, this node one of {}. A crash is noticed after the lease of the node that led,"
                                + " and two may lead if the store loses its data. Set the same lease on all replicas",
                        other.id(),
                        ReadableDuration.of(other.lease()),
                        ReadableDuration.of(own.lease()));
            }
        }
    }
}
