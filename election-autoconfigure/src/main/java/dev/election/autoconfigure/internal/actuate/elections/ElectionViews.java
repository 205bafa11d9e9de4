package dev.election.autoconfigure.internal.actuate.elections;

import dev.election.Election;
import dev.election.Leader;
import dev.election.Leadership;
import dev.election.StoreView;
import dev.election.autoconfigure.internal.watch.ElectionStatus;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.spring.lifecycle.PendingStart;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes the views of elections, from the memory of this node and from what the store says. */
public final class ElectionViews {

    private final NodeMemory memory;

    /** Creates the views of what this node remembers. */
    public ElectionViews(NodeMemory memory) {
        this.memory = memory;
    }

    /** Why this node takes part in no election yet, empty if it does. */
    public Optional<PendingStart> start() {
        return memory.start().get();
    }

    /** The view of an election from the memory of this node. */
    public ElectionView cached(Election election, @Nullable String problem) {
        Duration remaining = election.leadership().map(Leadership::remaining).orElse(null);
        return view(
                election,
                election.leader(),
                remaining,
                new ElectionView.History(null, null, Freshness.cached(problem)));
    }

    /** The view of an election from a read of the store. */
    public ElectionView read(Election election, StoreView read) {
        return view(election, read.leader(), read.leaseRemaining(), ElectionView.History.of(read));
    }

    private ElectionView view(
            Election election, Optional<Leader> leader, @Nullable Duration remaining, ElectionView.History history) {
        ElectionStatus status = memory.watch().of(election.name());
        Duration leaderless = memory.watch().leaderless(election.name());
        return new ElectionView(
                new ElectionView.Present(
                        election.role(),
                        LeaderView.of(leader.orElse(null), remaining),
                        status.lastTransition(),
                        election.runningWork(),
                        ReadableDuration.of(memory.watch().lease(election.name()))),
                history,
                new ElectionView.Problems(
                        start().orElse(null),
                        IncidentView.of(status.incident()),
                        leaderless.isZero() ? null : ReadableDuration.of(leaderless),
                        status.recovery(),
                        memory.impeding(election),
                        List.copyOf(new TreeSet<>(status.otherApplications()))),
                succession(election));
    }

    private List<SuccessorView> succession(Election election) {
        return memory.members()
                .get()
                .filter(present -> present.own().standing().isPresent())
                .map(present -> present.succession(election.name()).stream()
                        .map(SuccessorView::of)
                        .toList())
                .orElse(List.of());
    }
}
