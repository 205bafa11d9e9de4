package dev.election.autoconfigure.internal.actuate;

import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.web.WebEndpointResponse;
import org.springframework.boot.actuate.endpoint.web.annotation.EndpointWebExtension;

/** The operations of the endpoint {@code leader} with an HTTP status. */
@EndpointWebExtension(endpoint = LeaderEndpoint.class)
public final class LeaderWebExtension {

    private final LeaderOperations operations;

    /**
     * Creates the extension.
     *
     * @param operations the operations
     */
    public LeaderWebExtension(LeaderOperations operations) {
        this.operations = operations;
    }

    /** One election, as the store holds it now. */
    @ReadOperation
    public WebEndpointResponse<Object> election(@Selector String election) {
        return response(operations.one(election));
    }

    /**
     * The latest runs of the jobs of an election, on all nodes.
     *
     * @param part what of it, which is "jobs"
     * @param job only those of that job
     */
    @ReadOperation
    public WebEndpointResponse<Object> jobs(@Selector String election, @Selector String part, @Nullable String job) {
        return response(operations.part(election, part, job));
    }

    /** Requests the leader, on any node, to abdicate. */
    @DeleteOperation
    public WebEndpointResponse<Object> abdicate(
            @Selector String election,
            @Nullable String to,
            @Nullable String cooldown,
            @Nullable String drain,
            @Nullable String force,
            SecurityContext security) {
        return response(operations.abdicate(
                election, new AbdicationParameters(to, cooldown, drain, force), requester(security)));
    }

    private static String requester(SecurityContext security) {
        Principal principal = security.getPrincipal();
        return principal == null || principal.getName() == null ? "a user of the endpoint" : principal.getName();
    }

    private static WebEndpointResponse<Object> response(Answer answer) {
        return new WebEndpointResponse<>(answer.body(), answer.status());
    }
}
