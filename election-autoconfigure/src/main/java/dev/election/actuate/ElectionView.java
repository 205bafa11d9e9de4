package dev.election.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.Role;
import dev.election.watch.NotYetCandidate;
import dev.election.watch.Transition;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * An election, as it is shown.
 *
 * @param role the part of this node
 * @param leader who leads, {@code null} if nobody is known to
 * @param lastTransition the last change of this node's part
 * @param runningWork how much leader work runs on this node
 * @param transitions who led, the latest first; {@code null} if the store was not asked
 * @param freshness where all this comes from
 * @param notYetCandidate why this node does not take part yet, {@code null} and not shown if it does
 */
@JsonInclude(JsonInclude.Include.ALWAYS)
record ElectionView(
        Role role,
        @Nullable LeaderView leader,
        @Nullable Transition lastTransition,
        int runningWork,
        @Nullable List<LeadershipView> transitions,
        Freshness freshness,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable NotYetCandidate notYetCandidate)
        implements OperationResponseBody {}
