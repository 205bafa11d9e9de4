package dev.election.store;

import dev.election.Leader;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * Another candidacy holds the lease.
 *
 * @param leader the node behind it
 * @param remaining how long the lease lasts if it is not renewed
 * @param rank how many candidates stand before this one; empty if the store keeps no order, as in {@link CampaignReply.Wait}
 * @param application the name of the holder's application, empty if it has none
 */
public record Held(Leader leader, Duration remaining, OptionalInt rank, String application) implements CampaignReply {

    /** Creates the reply for a holder whose application has no name. */
    public Held(Leader leader, Duration remaining, int rank) {
        this(leader, remaining, OptionalInt.of(rank), "");
    }
}
