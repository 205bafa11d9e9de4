package dev.election.autoconfigure.internal.actuate;

import dev.election.autoconfigure.internal.actuate.elections.ElectionView;
import dev.election.autoconfigure.internal.actuate.elections.ElectionViews;
import dev.election.autoconfigure.internal.actuate.members.DrainView;
import dev.election.autoconfigure.internal.actuate.members.MemberView;
import dev.election.autoconfigure.internal.actuate.members.MembersCopyView;
import dev.election.members.Members;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Sources of the overview of a node that are not elections.
 *
 * @param node says who this node is
 * @param store where the elections are kept
 * @param members if this process uses them
 * @param checks those after the start; empty if they are off
 * @param clock of this node
 */
public record NodeKnowledge(
        Supplier<NodeView> node,
        String store,
        Supplier<Optional<Members>> members,
        Supplier<Optional<ChecksView>> checks,
        InstantSource clock) {

    NodeOverview overview(boolean isWritable, ElectionViews views, Map<String, ElectionView> elections) {
        @Nullable Members present = members.get().orElse(null);
        return new NodeOverview(
                node.get(),
                clock.instant(),
                isWritable,
                store,
                views.start().orElse(null),
                elections,
                present == null ? null : MemberView.all(present),
                present == null ? null : DrainView.all(present),
                present == null ? null : MembersCopyView.of(present.view()),
                checks.get().orElse(null));
    }
}
