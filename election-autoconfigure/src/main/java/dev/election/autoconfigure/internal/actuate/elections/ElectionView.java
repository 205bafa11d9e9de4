package dev.election.autoconfigure.internal.actuate.elections;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.election.Role;
import dev.election.StoreView;
import dev.election.autoconfigure.internal.watch.Impediment;
import dev.election.autoconfigure.internal.watch.PresentRecovery;
import dev.election.autoconfigure.internal.watch.Transition;
import dev.election.spring.lifecycle.PendingStart;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * An election, as the endpoint shows it: in one level, which the parts only order.
 *
 * @param present who leads, and what this node does
 * @param history the past leaderships
 * @param problems what is wrong or not ready
 * @param succession who should lead, the first one before all others, not shown without steering
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ElectionView(
        @JsonUnwrapped Present present,
        @JsonUnwrapped History history,
        @JsonUnwrapped Problems problems,
        List<SuccessorView> succession)
        implements OperationResponseBody {

    /** Removes the history for a caller that has that version of it. */
    public ElectionView without(@Nullable String knownHistory) {
        String version = history.historyVersion;
        return version == null || !version.equals(knownHistory)
                ? this
                : new ElectionView(present, new History(null, version, history.freshness), problems, succession);
    }

    /**
     * The present of an election.
     *
     * @param role the role of this node
     * @param leader who leads, {@code null} if no leader is known
     * @param lastTransition the last change of the role of this node
     * @param runningWork how much leader work runs on this node
     * @param lease how long a lease lasts
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record Present(
            Role role,
            @Nullable LeaderView leader,
            @Nullable Transition lastTransition,
            int runningWork,
            String lease) {}

    /**
     * The leaderships that the store keeps.
     *
     * @param leaderships the latest first; {@code null} if the store was not read, or the caller knows them
     * @param historyVersion differs if they differ, and is the same on all nodes; {@code null} if the store was not read
     * @param freshness which values come from the store and which from memory
     */
    @JsonInclude(JsonInclude.Include.ALWAYS)
    record History(@Nullable List<LeadershipView> leaderships, @Nullable String historyVersion, Freshness freshness) {

        static History of(StoreView read) {
            List<LeadershipView> all =
                    read.leaderships().stream().map(LeadershipView::of).toList();
            long latest = all.isEmpty() ? 0 : all.get(0).token();
            return new History(
                    all, latest + "-" + Integer.toHexString(all.toString().hashCode()), Freshness.read(read.readAt()));
        }
    }

    /**
     * The problems of an election, and what it waits for.
     *
     * @param notYetCandidate why this node does not take part yet, {@code null} and not shown if it does
     * @param incident the present failure of the store, {@code null} and not shown if it answers
     * @param leaderlessFor for how long this node has known no leader, {@code null} and not shown if it knows one
     * @param recovery what this new leader does before it admits work, {@code null} and not shown if it does not recover
     * @param impediments the present failures of the work of this leader, not shown if there are none
     * @param sharedWith the other applications that take part, not shown if there are none
     */
    @JsonInclude(JsonInclude.Include.NON_EMPTY)
    record Problems(
            @Nullable PendingStart notYetCandidate,
            @Nullable IncidentView incident,
            @Nullable String leaderlessFor,
            @Nullable PresentRecovery recovery,
            List<Impediment> impediments,
            List<String> sharedWith) {}
}
