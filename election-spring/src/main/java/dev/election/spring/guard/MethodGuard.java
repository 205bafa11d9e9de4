package dev.election.spring.guard;

import dev.election.Election;
import dev.election.OnLoss;
import dev.election.Otherwise;
import dev.election.spring.calls.JobTerms;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The guard of a method.
 *
 * @param name the name of the election, or of the group of partitions
 * @param election the election that this node must lead
 * @param otherwise what a call does if this node does not lead it
 * @param onLoss what happens to a call that runs when leadership is lost
 * @param atMostFor for how long a call may run, {@code null} for as long as it takes
 * @param terms how it is run as a scheduled job
 */
record MethodGuard(
        String name,
        Supplier<Election> election,
        Otherwise otherwise,
        OnLoss onLoss,
        @Nullable Duration atMostFor,
        JobTerms terms) {}
