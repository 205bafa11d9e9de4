package dev.election.internal.engine;

import dev.election.members.Member;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.Collection;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Finds members of the same application that have another lease: a rolling change of it, or a replica whose settings differ by mistake. */
final class OtherLeases {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** So many are told of: whoever may write the members can invent any number. */
    private static final int MOST_KNOWN = 10;

    private final Set<Duration> known = new HashSet<>();

    /** Looks at a complete copy. */
    void look(Member own, Collection<RosterCopy.Known> members) {
        for (RosterCopy.Known each : members) {
            Member other = each.member();
            boolean differs = !other.lease().isZero()
                    && !other.lease().equals(own.lease())
                    && other.application().equals(own.application());
            if (differs && known.size() < MOST_KNOWN && known.add(other.lease())) {
                log.warn(
                        "The member {} has a lease of {}, this node one of {}. Leadership is safe, but a crash is noticed after"
                                + " the lease of the node that led. Set the same election.lease on all replicas",
                        other.id(),
                        ReadableDuration.of(other.lease()),
                        ReadableDuration.of(own.lease()));
            }
        }
    }
}
