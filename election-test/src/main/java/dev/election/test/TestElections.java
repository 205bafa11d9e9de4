package dev.election.test;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.Election;
import dev.election.Elections;
import dev.election.LeadershipListener;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Elections whose outcome the test decides. At first nobody leads any of them, and this node follows; every election exists as
 * soon as it is asked for.
 *
 * <p>There is no lease, no store and no thread: who leads stays leader until the test says otherwise, and whatever is said here has been
 * heard by every listener, on the calling thread and in order, when the method returns. (Said from within a listener, it is heard
 * when that listener is through.) What ends with running work, a resignation for one, ends on the thread that closes the work, and
 * no bound cuts it short but that of zero. May be used by any number of threads.
 */
public final class TestElections implements Elections {

    /** The id of this node unless another is given. */
    public static final String THIS_NODE = "this-node";

    private final String node;
    private final Map<String, TestElection> elections = new ConcurrentSkipListMap<>();

    /** Guarded by this. */
    private final List<LeadershipListener> listeners = new ArrayList<>();

    /** Elections of the node {@value #THIS_NODE}. */
    public TestElections() {
        this(THIS_NODE);
    }

    /** Elections of the node with that id. */
    public TestElections(String node) {
        this.node = node;
    }

    /** Makes this node the leader, with a higher token than ever before; one that leads already loses its leadership first. */
    public void lead(String election) {
        named(election).lead();
    }

    /** Makes this node a follower of nobody. If it leads, it loses its leadership at once, as one does whose lease ends. */
    public void follow(String election) {
        named(election).follow();
    }

    /** Makes this node a follower of that one. If it leads, it loses its leadership at once, to that node. */
    public void follow(String election, String leader) {
        if (leader.equals(node)) {
            throw new IllegalArgumentException("'" + leader + "' is this node; it can lead but not follow itself");
        }
        named(election).follow(leader);
    }

    /**
     * Makes this node resign if it leads: it admits no new work, and follows nobody as soon as the running work has ended. The
     * outcome, should a test want it, is that of {@link Election#abdicate(Abdication)}.
     */
    public void resign(String election) {
        CompletionStage<AbdicationOutcome> unused = named(election).abdicate();
    }

    /**
     * Brings back the beginning: nobody leads, and work that still runs is no longer counted. Listeners stay, hear what that changes
     * for them, and tokens go on to grow, since beans outlive a test and may have noted the last one.
     */
    public void reset() {
        elections.values().forEach(TestElection::reset);
    }

    @Override
    public Election get(String name) {
        return named(name);
    }

    @Override
    public Optional<Election> find(String name) {
        return Optional.ofNullable(elections.get(name));
    }

    @Override
    public Collection<Election> all() {
        return Collections.unmodifiableCollection(elections.values());
    }

    @Override
    public synchronized void addListener(LeadershipListener listener) {
        listeners.add(listener);
        elections.values().forEach(election -> election.addListener(listener));
    }

    @Override
    public synchronized void removeListener(LeadershipListener listener) {
        listeners.remove(listener);
        elections.values().forEach(election -> election.removeListener(listener));
    }

    @Override
    public String node() {
        return node;
    }

    /** Lets this node follow where it was stopped. Needed by nobody but who stopped: elections can be led from the beginning. */
    @Override
    public void start() {
        elections.values().forEach(TestElection::start);
    }

    @Override
    public CompletionStage<Void> stop() {
        return CompletableFuture.allOf(
                elections.values().stream().map(TestElection::stop).toArray(CompletableFuture[]::new));
    }

    private TestElection named(String name) {
        TestElection known = elections.get(name);
        return known != null ? known : join(name);
    }

    private synchronized TestElection join(String name) {
        return elections.computeIfAbsent(name, joined -> {
            if (!Election.isName(joined)) {
                throw new IllegalArgumentException(
                        "The name of an election must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + joined + "'");
            }
            TestElection election = new TestElection(joined, node);
            listeners.forEach(election::addListener);
            return election;
        });
    }
}
