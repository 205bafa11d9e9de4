package dev.election.testing;

import dev.election.Election;
import dev.election.Elections;
import dev.election.LeaderRecovery;
import dev.election.LeadershipListener;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** Elections whose outcome a test decides. Events are told at once, on the thread of whoever causes them. */
public final class HandDrivenElections implements Elections {

    private final Map<String, HandDrivenElection> elections = new ConcurrentSkipListMap<>();
    private final List<LeadershipListener> listeners = new CopyOnWriteArrayList<>();
    private final List<String> calls = new CopyOnWriteArrayList<>();
    private volatile String node = "me";

    /** What has been asked of all elections so far: {@code start} and {@code stop}. */
    public List<String> calls() {
        return calls;
    }

    public HandDrivenElection lead(String name) {
        HandDrivenElection election = get(name);
        election.lead();
        return election;
    }

    public HandDrivenElection follow(String name) {
        HandDrivenElection election = get(name);
        election.follow();
        return election;
    }

    @Override
    public HandDrivenElection get(String name) {
        return elections.computeIfAbsent(name, joined -> {
            HandDrivenElection election = new HandDrivenElection(joined);
            listeners.forEach(election::addListener);
            return election;
        });
    }

    @Override
    public Optional<Election> find(String name) {
        return Optional.ofNullable(elections.get(name));
    }

    @Override
    public Collection<Election> all() {
        return List.copyOf(elections.values());
    }

    @Override
    public void addListener(LeadershipListener listener) {
        listeners.add(listener);
        elections.values().forEach(election -> election.addListener(listener));
    }

    @Override
    public void addRecovery(String name, LeaderRecovery recovery) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeRecovery(LeaderRecovery recovery) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        listeners.remove(listener);
        elections.values().forEach(election -> election.removeListener(listener));
    }

    @Override
    public String node() {
        return node;
    }

    /** As a start does that draws the id of the node anew. */
    public void rename(String other) {
        node = other;
    }

    @Override
    public void start() {
        calls.add("start");
    }

    @Override
    public CompletionStage<Void> stop() {
        calls.add("stop");
        elections.values().stream().filter(Election::isLeader).forEach(election -> {
            election.resign();
            election.follow();
        });
        return CompletableFuture.completedFuture(null);
    }
}
