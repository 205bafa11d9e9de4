package dev.election.autoconfigure.internal.actuate;

import dev.election.autoconfigure.internal.actuate.parameters.AbdicationParameters;
import dev.election.autoconfigure.internal.actuate.parameters.MemberOrder;
import dev.election.autoconfigure.internal.actuate.parameters.ReadParameters;
import java.security.Principal;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;
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

    /**
     * One election, as the store holds it now.
     *
     * @param maxAge how old the answer may be, so that several callers share a read of the store
     * @param knownHistory the version of the history that the caller has: an unchanged history is not sent again
     */
    @ReadOperation
    public WebEndpointResponse<Object> election(
            @Selector String election, @Nullable String maxAge, @Nullable String knownHistory) {
        return response(operations.one(election, new ReadParameters(maxAge, knownHistory)));
    }

    /**
     * The latest runs of the jobs of an election, on all nodes; with {@code *} in place of an election each job of all of them, with its latest run.
     *
     * @param part what of it, which is "jobs"
     * @param job only those of that job
     * @param maxAge how old the answer may be if it is about all jobs
     */
    @ReadOperation
    public WebEndpointResponse<Object> jobs(
            @Selector String election, @Selector String part, @Nullable String job, @Nullable String maxAge) {
        return response(operations.part(election, part, job, new ReadParameters(maxAge, null)));
    }

    /**
     * Asks the leader, on any node, to run a job of that election now.
     *
     * @param part what of it, which is "jobs"
     * @param job its name
     * @param reason why, for the log and the history
     */
    @WriteOperation
    public WebEndpointResponse<Object> run(
            @Selector String election,
            @Selector String part,
            @Selector String job,
            @Nullable String reason,
            SecurityContext security) {
        return response(operations.run(election, part, job, reason, requester(security)));
    }

    /**
     * Drains a member, or lets it lead again.
     *
     * @param part what is changed, which is "members"
     * @param id of the node
     * @param state {@code drained} or {@code active}
     * @param reason why, for the log and the history
     * @param evenIfAbsent {@code true} for a node that need not be a member at present
     */
    @WriteOperation
    public WebEndpointResponse<Object> member(
            @Selector String part,
            @Selector String id,
            @Nullable String state,
            @Nullable String reason,
            @Nullable String evenIfAbsent,
            SecurityContext security) {
        return response(operations.steer(part, id, new MemberOrder(state, reason, evenIfAbsent), requester(security)));
    }

    /** Requests the leader, on any node, to abdicate. */
    @DeleteOperation
    public WebEndpointResponse<Object> abdicate(
            @Selector String election,
            @Nullable String to,
            @Nullable String cooldown,
            @Nullable String drain,
            @Nullable String force,
            @Nullable String reason,
            SecurityContext security) {
        return response(operations.abdicate(
                election, new AbdicationParameters(to, cooldown, drain, force, reason), requester(security)));
    }

    private static String requester(SecurityContext security) {
        Principal principal = security.getPrincipal();
        return principal == null || principal.getName() == null ? "a user of the endpoint" : principal.getName();
    }

    private static WebEndpointResponse<Object> response(Answer answer) {
        return new WebEndpointResponse<>(answer.body(), answer.status());
    }
}
