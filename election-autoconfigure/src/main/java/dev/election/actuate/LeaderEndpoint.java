package dev.election.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;

/**
 * The endpoint {@code leader}: who leads, who led, and make it somebody else. Only to be read unless the application opens it with
 * {@code management.endpoint.leader.access=unrestricted}.
 */
@Endpoint(id = "leader", defaultAccess = Access.READ_ONLY)
public final class LeaderEndpoint {

    private final LeaderOperations operations;

    /**
     * Creates the endpoint.
     *
     * @param operations what it offers
     */
    public LeaderEndpoint(LeaderOperations operations) {
        this.operations = operations;
    }

    /** This node and its elections, as this node knows them. */
    @ReadOperation
    public Object elections() {
        return operations.all().body();
    }

    /** One election, as the store has it now. */
    @ReadOperation
    public Object election(@Selector String election) {
        return operations.one(election).body();
    }

    /** Makes whoever leads give leadership up. */
    @DeleteOperation
    public Object abdicate(
            @Selector String election,
            @Nullable String to,
            @Nullable String cooldown,
            @Nullable String drain,
            @Nullable String force) {
        return operations
                .abdicate(election, new AbdicationParameters(to, cooldown, drain, force))
                .body();
    }
}
