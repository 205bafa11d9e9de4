package dev.election.autoconfigure.internal.actuate;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import dev.election.autoconfigure.internal.actuate.elections.ElectionView;
import dev.election.autoconfigure.internal.actuate.elections.GroupView;
import dev.election.autoconfigure.internal.actuate.members.DrainView;
import dev.election.autoconfigure.internal.actuate.members.MemberView;
import dev.election.autoconfigure.internal.actuate.members.MembersCopyView;
import dev.election.members.Members;
import dev.election.spring.lifecycle.PendingStart;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.actuate.endpoint.OperationResponseBody;

/**
 * A node with its elections and members, as the endpoint shows it: in one level, which the parts only order.
 *
 * @param node this node
 * @param present what it says of itself
 * @param elections by name, without partitions
 * @param partitions the groups of partitions by name, not shown if there are none
 * @param members {@code null} if this node does not use them
 * @param checks those after the start, {@code null} if the application has none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record NodeOverview(
        NodeView node,
        @JsonUnwrapped Present present,
        Map<String, ElectionView> elections,
        @JsonInclude(JsonInclude.Include.NON_EMPTY) Map<String, GroupView> partitions,
        @JsonUnwrapped @Nullable NodeMembers members,
        @Nullable ChecksView checks)
        implements OperationResponseBody {

    /**
     * The present of a node.
     *
     * @param answeredAt when it answered, by its clock
     * @param writable whether the application allows requests to abdicate
     * @param store where the elections are kept
     * @param notYetCandidate why this node does not take part yet, {@code null} if it does
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Present(Instant answeredAt, boolean writable, String store, @Nullable PendingStart notYetCandidate) {}

    /**
     * The members that a node knows.
     *
     * @param members all of them
     * @param drains the open orders that a node leads nothing, also those of nodes that are not there, by node id
     * @param membersCopy how far they can be relied on
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record NodeMembers(List<MemberView> members, Map<String, DrainView> drains, MembersCopyView membersCopy) {

        static NodeMembers of(Members known) {
            return new NodeMembers(MemberView.all(known), DrainView.all(known), MembersCopyView.of(known.view()));
        }
    }
}
