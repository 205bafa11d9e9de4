package dev.election.routing.internal.decision;

import dev.election.routing.RoutingMode;

/**
 * Whose leader serves a request.
 *
 * @param election the name of the election
 * @param mode what other nodes do with the request
 */
public record RoutedElection(String election, RoutingMode mode) {}
