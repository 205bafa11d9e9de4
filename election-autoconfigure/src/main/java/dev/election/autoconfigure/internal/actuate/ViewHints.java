package dev.election.autoconfigure.internal.actuate;

import dev.election.autoconfigure.internal.actuate.elections.AbdicationView;
import dev.election.autoconfigure.internal.actuate.elections.ElectionView;
import dev.election.autoconfigure.internal.actuate.elections.GroupView;
import dev.election.autoconfigure.internal.actuate.elections.JobRequestView;
import dev.election.autoconfigure.internal.actuate.elections.JobRunsView;
import dev.election.autoconfigure.internal.actuate.elections.JobsView;
import dev.election.autoconfigure.internal.actuate.elections.LeadershipView;
import dev.election.autoconfigure.internal.actuate.members.MemberStateView;
import dev.election.autoconfigure.internal.actuate.members.MemberView;
import dev.election.spring.lifecycle.PendingStart;
import org.jspecify.annotations.Nullable;
import org.springframework.aot.hint.BindingReflectionHintsRegistrar;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/** Registers the views, which are written as JSON by reflection, for native images. */
public final class ViewHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, @Nullable ClassLoader classLoader) {
        new BindingReflectionHintsRegistrar()
                .registerReflectionHints(
                        hints.reflection(),
                        NodeOverview.class,
                        ElectionView.class,
                        GroupView.class,
                        LeadershipView.class,
                        AbdicationView.class,
                        JobRequestView.class,
                        JobRunsView.class,
                        JobsView.class,
                        MemberView.class,
                        MemberStateView.class,
                        PendingStart.class);
    }
}
