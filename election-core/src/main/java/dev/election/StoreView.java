package dev.election;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * The state of an election in the store at one moment, independent of the state of this node.
 *
 * @param readAt when it was read, by the clock of the store
 * @param leader who holds the lease
 * @param leaseRemaining how long the lease lasts if it is not renewed; zero if no node holds it
 * @param leaderships the last leaderships, the latest first; as many as the store keeps
 */
public record StoreView(
        Instant readAt, Optional<Leader> leader, Duration leaseRemaining, List<LeadershipRecord> leaderships) {

    public StoreView {
        leaderships = List.copyOf(leaderships);
    }

    /** Whether the lease is held under this token. */
    public boolean isLedUnder(FencingToken token) {
        return leader.filter(held -> held.token().equals(token)).isPresent();
    }
}
