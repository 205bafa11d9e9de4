package dev.election.fencing.internal.table;

import dev.election.FencingToken;

/** The outcome of an attempt to raise the row of a resource. */
public sealed interface RaiseOutcome {

    /** The row has the token, and that is committed. */
    record Raised() implements RaiseOutcome {}

    /** The row has a newer token and was left alone. */
    record Newer(FencingToken token) implements RaiseOutcome {}

    /** The row belongs to another election and was left alone. */
    record OfOtherElection(String election) implements RaiseOutcome {}
}
