package dev.election.autoconfigure.internal.actuate.elections;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.Role;
import dev.election.autoconfigure.internal.watch.Impediment;
import dev.election.autoconfigure.internal.watch.PresentRecovery;
import dev.election.autoconfigure.internal.watch.Transition;
import dev.election.spring.lifecycle.PendingStart;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * An election, as the endpoint shows it.
 *
 * @param role the role of this node
 * @param leader who leads, {@code null} if no leader is known
 * @param lastTransition the last change of the role of this node
 * @param runningWork how much leader work runs on this node
 * @param lease how long a lease lasts
 * @param leaderships the leaderships, the latest first; {@code null} if the store was not read, or the caller knows them
 * @param historyVersion differs if they differ, {@code null} if the store was not read
 * @param freshness which values come from the store and which from memory
 * @param notYetCandidate why this node does not take part yet, {@code null} and not shown if it does
 * @param incident the present failure of the store, {@code null} and not shown if it answers
 * @param leaderlessFor for how long this node has known no leader, {@code null} and not shown if it knows one
 * @param recovery what this new leader does before it admits work, {@code null} and not shown if it does not recover
 * @param impediments the present failures of the work of this leader, not shown if there are none
 * @param sharedWith the other applications that take part, not shown if there are none
 * @param succession who should lead, the first one before all others, not shown without steering
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
public record ElectionView(
        Role role,
        @Nullable LeaderView leader,
        @Nullable Transition lastTransition,
        int runningWork,
        String lease,
        @Nullable List<LeadershipView> leaderships,
        @Nullable String historyVersion,
        Freshness freshness,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PendingStart notYetCandidate,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable IncidentView incident,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String leaderlessFor,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable PresentRecovery recovery,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<Impediment> impediments,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<String> sharedWith,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) List<SuccessorView> succession)
        implements OperationResponseBody {

    /** Removes the history for a caller that has that version of it. */
    public ElectionView without(@Nullable String knownHistory) {
        return historyVersion == null || !historyVersion.equals(knownHistory)
                ? this
                : new ElectionView(
                        role,
                        leader,
                        lastTransition,
                        runningWork,
                        lease,
                        null,
                        historyVersion,
                        freshness,
                        notYetCandidate,
                        incident,
                        leaderlessFor,
                        recovery,
                        impediments,
                        sharedWith,
                        succession);
    }
}
