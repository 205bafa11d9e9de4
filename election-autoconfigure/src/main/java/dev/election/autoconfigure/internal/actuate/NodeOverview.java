package dev.election.autoconfigure.internal.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.election.autoconfigure.internal.actuate.elections.ElectionView;
import dev.election.autoconfigure.internal.actuate.members.DrainView;
import dev.election.autoconfigure.internal.actuate.members.MemberView;
import dev.election.autoconfigure.internal.actuate.members.MembersCopyView;
import dev.election.spring.lifecycle.PendingStart;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A node with its elections and members, as the endpoint shows it.
 *
 * @param node this node
 * @param answeredAt when it answered, by its clock
 * @param writable whether the application allows requests to abdicate
 * @param store where the elections are kept
 * @param notYetCandidate why this node does not take part yet, {@code null} if it does
 * @param elections by name
 * @param members {@code null} if this node does not use them
 * @param drains the open orders that a node leads nothing, also those of nodes that are not there, by node id; {@code null} if this node
 *     does not use members
 * @param membersCopy how far they can be relied on
 * @param checks those after the start, {@code null} if they are off
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record NodeOverview(
        NodeView node,
        Instant answeredAt,
        boolean writable,
        String store,
        @Nullable PendingStart notYetCandidate,
        Map<String, ElectionView> elections,
        @Nullable List<MemberView> members,
        @Nullable Map<String, DrainView> drains,
        @Nullable MembersCopyView membersCopy,
        @Nullable ChecksView checks)
        implements OperationResponseBody {}
