package dev.election.autoconfigure.internal.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.Role;
import dev.election.autoconfigure.internal.watch.NotYetCandidate;
import dev.election.autoconfigure.internal.watch.Transition;
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
 * @param leaderships the leaderships, the latest first; {@code null} if the store was not read
 * @param freshness which values come from the store and which from memory
 * @param notYetCandidate why this node does not take part yet, {@code null} and not shown if it does
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ElectionView(
        Role role,
        @Nullable LeaderView leader,
        @Nullable Transition lastTransition,
        int runningWork,
        @Nullable List<LeadershipView> leaderships,
        Freshness freshness,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable NotYetCandidate notYetCandidate)
        implements OperationResponseBody {}
