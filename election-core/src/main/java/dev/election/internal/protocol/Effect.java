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

    /** Send a campaign. */
    record Campaign(Attempt attempt, CampaignRequest request) implements Effect {}

    /** Send a renewal. */
    record Renew(Attempt attempt, RenewRequest request) implements Effect {}

    /** Send a release; without an attempt nobody waits for the answer. */
    record Release(@Nullable Attempt attempt, ReleaseRequest request) implements Effect {}

    /** Ask who leads. */
    record Look(Attempt attempt) implements Effect {}

    /** Tell the other nodes. */
    record Tell(NodeMessage message) implements Effect {}

    /** Tell the listeners. */
    record Announce(LeadershipEvent event) implements Effect {}

    /** An abdication or a stop is through. */
    record Departed(AbdicationOutcome outcome) implements Effect {}
}
