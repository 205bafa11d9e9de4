package dev.election.internal.protocol;

import dev.election.AbdicationOutcome;
import dev.election.LeadershipEvent;
import dev.election.store.CampaignRequest;
import dev.election.store.NodeMessage;
import dev.election.store.ReleaseRequest;
import dev.election.store.RenewRequest;
import org.jspecify.annotations.Nullable;

/** An action for the shell after a step; several are carried out in their order. */
public sealed interface Effect {

    /** Sends a campaign. */
    record Campaign(Attempt attempt, CampaignRequest request) implements Effect {}

    /** Sends a renewal. */
    record Renew(Attempt attempt, RenewRequest request) implements Effect {}

    /** Sends a release. Without an attempt, its answer is no input. */
    record Release(@Nullable Attempt attempt, ReleaseRequest request) implements Effect {}

    /** Reads who leads. */
    record Look(Attempt attempt) implements Effect {}

    /** Sends a message to the other nodes. */
    record Tell(NodeMessage message) implements Effect {}

    /** Notifies the listeners. */
    record Announce(LeadershipEvent event) implements Effect {}

    /** Reports the end of an abdication or a stop. */
    record Departed(AbdicationOutcome outcome) implements Effect {}
}
