package dev.election.actuate;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The same with what HTTP adds: a status. */
@EndpointWebExtension(endpoint = LeaderEndpoint.class)
public final class LeaderWebExtension {

    private final LeaderOperations operations;

    /**
     * Creates the extension.
     *
     * @param operations what it offers
     */
    public LeaderWebExtension(LeaderOperations operations) {
        this.operations = operations;
    }

    /** One election, as the store has it now. */
    @ReadOperation
    public WebEndpointResponse<Object> election(@Selector String election) {
        return response(operations.one(election));
    }

    /** Makes whoever leads give leadership up. */
    @DeleteOperation
    public WebEndpointResponse<Object> abdicate(
            @Selector String election,
            @Nullable String to,
            @Nullable String cooldown,
            @Nullable String drain,
            @Nullable String force) {
        return response(operations.abdicate(election, new AbdicationParameters(to, cooldown, drain, force)));
    }

    private static WebEndpointResponse<Object> response(Answer answer) {
        return new WebEndpointResponse<>(answer.body(), answer.status());
    }
}
