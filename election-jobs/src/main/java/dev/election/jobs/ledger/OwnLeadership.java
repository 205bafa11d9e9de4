package dev.election.jobs.ledger;

import dev.election.FencingToken;
import java.util.function.BooleanSupplier;

/**
 * A leadership of this node.
 *
 * @param election the name of the election
 * @param token of the leadership
 * @param isLeading whether it still holds, from memory
 */
record OwnLeadership(String election, FencingToken token, BooleanSupplier isLeading) {}
