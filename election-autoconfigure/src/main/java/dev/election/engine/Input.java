package dev.election.engine;

import dev.election.Abdication;
import dev.election.FencingToken;
import dev.election.lease.CampaignReply;
import dev.election.lease.Hint;
import dev.election.lease.ReadReply;
import dev.election.lease.ReleaseReply;
import dev.election.lease.RenewReply;
import java.time.Duration;

/** What can happen to a node. */
sealed interface Input {

    /** Take part. */
    record Start() implements Input {}

    /** Take part no more, after waiting that long for running work. */
    record Stop(Duration drain) implements Input {}

    /** Give leadership up. */
    record Abdicate(Abdication how, Duration drain) implements Input {}

    /** Somebody, on this node or another, asks the leader under that token to give leadership up. */
    record Asked(String request, FencingToken token, Abdication how, Duration drain) implements Input {}

    /** The time has come that the state asked for. */
    record Wake() implements Input {}

    /** No admitted work runs any more. */
    record Drained() implements Input {}

    /** A campaign was answered. */
    record Campaigned(Attempt attempt, CampaignReply reply) implements Input {}

    /** A renewal was answered. */
    record Renewed(Attempt attempt, RenewReply reply) implements Input {}

    /** A release was answered. */
    record Released(Attempt attempt, ReleaseReply reply) implements Input {}

    /** A look at who leads was answered. */
    record Looked(Attempt attempt, ReadReply reply) implements Input {}

    /** There is news. */
    record Heard(Hint hint) implements Input {}
}
