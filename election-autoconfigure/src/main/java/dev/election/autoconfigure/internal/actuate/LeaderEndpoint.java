package dev.election.autoconfigure.internal.actuate;

import dev.election.autoconfigure.internal.actuate.parameters.AbdicationParameters;
import dev.election.autoconfigure.internal.actuate.parameters.MemberOrder;
import dev.election.autoconfigure.internal.actuate.parameters.ReadParameters;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.Access;
import org.springframework.boot.actuate.endpoint.annotation.DeleteOperation;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.actuate.endpoint.annotation.Selector;
import org.springframework.boot.actuate.endpoint.annotation.WriteOperation;

/**
 * The endpoint {@code leader}: shows who leads and who has led, and makes a leader abdicate. Read-only unless the application sets
 * {@code management.endpoint.leader.access=unrestricted}. Spring Boot would refuse a request to abdicate without an explanation then, so the
 * operation is there for HTTP by default, and {@link LeaderOperations} refuses it with the name of the property. By JMX it is not there.
 */
@Endpoint(id = LeaderEndpoint.ID, defaultAccess = Access.UNRESTRICTED)
public final class LeaderEndpoint {

    /** The id of the endpoint. */
    public static final String ID = "leader";

    private final LeaderOperations operations;

    /**
     * Creates the endpoint.
     *
     * @param operations the operations
     */
    public LeaderEndpoint(LeaderOperations operations) {
        this.operations = operations;
    }

    /** This node and its elections, from the memory of this node. */
    @ReadOperation
    public Object elections() {
        return operations.all().body();
    }

    /** One election, as the store holds it now. */
    @ReadOperation
    public Object election(@Selector String election) {
        return operations.one(election, ReadParameters.NONE).body();
    }

    /**
     * The latest runs of the jobs of an election, on all nodes; with {@code *} in place of an election each job of all of them, with its latest run.
     *
     * @param part what of it, which is "jobs"
     * @param job only those of that job
     */
    @ReadOperation
    public Object jobs(@Selector String election, @Selector String part, @Nullable String job) {
        return operations.part(election, part, job, ReadParameters.NONE).body();
    }

    /**
     * Asks the leader, on any node, to run a job of that election now.
     *
     * @param part what of it, which is "jobs"
     * @param job its name
     * @param reason why, for the log and the history
     */
    @WriteOperation
    public Object run(@Selector String election, @Selector String part, @Selector String job, @Nullable String reason) {
        return operations.run(election, part, job, reason, "a user of JMX").body();
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
    public Object member(
            @Selector String part,
            @Selector String id,
            @Nullable String state,
            @Nullable String reason,
            @Nullable String evenIfAbsent) {
        return operations
                .steer(part, id, new MemberOrder(state, reason, evenIfAbsent), "a user of JMX")
                .body();
    }

    /** Requests the leader, on any node, to abdicate. */
    @DeleteOperation
    public Object abdicate(
            @Selector String election,
            @Nullable String to,
            @Nullable String cooldown,
            @Nullable String drain,
            @Nullable String force,
            @Nullable String reason) {
        return operations
                .abdicate(election, new AbdicationParameters(to, cooldown, drain, force, reason), "a user of JMX")
                .body();
    }
}
