package dev.election.test;

import dev.election.Abdication;
import dev.election.AbdicationOutcome;
import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.ElectionEngine;
import dev.election.Elections;
import dev.election.LeaderRecovery;
import dev.election.LeadershipListener;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.members.MemberSettings;
import dev.election.members.Members;
import dev.election.members.NodeMessages;
import dev.election.partitions.Partitions;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentSkipListMap;

/**
 * Elections whose outcome the test decides. At first nobody leads any of them, and this node follows; every election exists as
 * soon as it is asked for.
 *
 * <p>The engine is that of an application, over leases in memory that are granted as the test says. There is no thread, and time does not
 * pass by itself: a leader leads until the test says otherwise. When a method returns, it has called every listener, on the calling thread
 * and in order. (A listener that calls such a method itself receives the events after it has returned.) A resignation waits for running work
 * without limit, unless the drain time is zero, and ends on the thread that closes the work. Thread-safe.
 */
public final class TestElections implements Elections {

    /** The id of this node unless another is given. */
    public static final String THIS_NODE = "this-node";

    /** The address of each node. */
    private static final String ADDRESS = "localhost";

    /** The longest lease that is allowed, since nobody renews the leases of other nodes. */
    private static final Duration LEASE = Duration.ofDays(1);

    private final StandingClock clock;
    private final CallingThread calls;
    private final DecidedStore store;
    private final ElectionEngine engine;
    private final Partitions partitions;
    private final Map<String, TestElection> elections = new ConcurrentSkipListMap<>();

    /** Creates elections of the node {@value #THIS_NODE}. */
    public TestElections() {
        this(THIS_NODE);
    }

    /**
     * Creates elections of the node with that id.
     *
     * @throws IllegalArgumentException if the id is not 1 to 128 of {@code A-Z a-z 0-9 . _ : -}
     */
    public TestElections(String node) {
        this(node, Map.of(), Set.of(), new StandingClock(System::nanoTime));
    }

    /**
     * Creates elections of the node {@value #THIS_NODE}, which shares groups of partitions.
     *
     * @param partitions the number of partitions of each group, by its name
     */
    public TestElections(Map<String, Integer> partitions) {
        this(partitions, Set.of());
    }

    TestElections(Map<String, Integer> partitions, Set<String> onePerProcess) {
        this(THIS_NODE, partitions, onePerProcess, new StandingClock(System::nanoTime));
    }

    TestElections(String node, Map<String, Integer> partitions, Set<String> onePerProcess, StandingClock clock) {
        this.clock = clock;
        this.calls = new CallingThread(clock::isDeciding);
        this.store = new DecidedStore(clock, LEASE);
        store.keep(partitions);
        ElectionEngine.Builder builder = ElectionEngine.over(store)
                .as(new NodeInfo(node, ADDRESS))
                .timing(new Timing(LEASE, LEASE.dividedBy(3), Election.LONGEST_WAIT))
                .loop(clock, clock)
                .callbacks(calls)
                .members(MemberSettings.none());
        partitions.forEach(builder::partitions);
        onePerProcess.forEach(builder::onePerProcess);
        this.engine = builder.build();
        this.partitions = new TestPartitions(engine.partitions(), this);
        engine.start();
    }

    /**
     * Makes this node the leader, with a higher token than ever before; one that leads already loses its leadership first. An observer
     * leads as soon as it is a candidate.
     */
    public void lead(String election) {
        named(election);
        decide(() -> store.lead(election));
    }

    /** Makes this node a follower without a leader. If it leads, it loses its leadership at once, as if its lease had ended. */
    public void follow(String election) {
        named(election);
        decide(() -> store.free(election));
    }

    /**
     * Makes this node a follower of that one. If it leads, it loses its leadership at once, to that node.
     *
     * @throws IllegalArgumentException if the leader is this node, or no node can have that id
     */
    public void follow(String election, String leader) {
        if (leader.equals(node())) {
            throw new IllegalArgumentException("'" + leader + "' is this node; it can lead but not follow itself");
        }
        NodeInfo other = new NodeInfo(leader, ADDRESS);
        named(election);
        decide(() -> store.lead(election, other));
    }

    /**
     * Makes this node resign if it leads: it admits no new work, and no node leads once the running work has ended. For the
     * outcome call {@link Election#abdicate(Abdication)} instead.
     */
    public void resign(String election) {
        CompletionStage<AbdicationOutcome> unused = named(election).abdicate();
    }

    /**
     * Resets the elections: nobody leads, this node is a candidate, and work that still runs is no longer counted. Listeners stay, and receive
     * the events of that. Tokens go on to grow, since beans outlive a test and may have noted the last one.
     */
    public void reset() {
        elections
                .values()
                .forEach(election -> decide(() -> {
                    store.free(election.name());
                    election.forget();
                }));
        elections.values().forEach(election -> {
            CompletionStage<Void> unused = election.setRole(AssignedRole.CANDIDATE);
        });
    }

    /** The members: this process alone, with the roles that the test decides. */
    public Members members() {
        return engine.members().orElseThrow();
    }

    /** The groups of partitions. The election of a partition, such as {@code orders.3}, is led as the test decides. */
    public Partitions partitions() {
        return partitions;
    }

    /** The messages of this process to itself. Handlers run on threads of their own. */
    public NodeMessages messages() {
        return engine.messages().orElseThrow();
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
    public void addListener(LeadershipListener listener) {
        engine.addListener(listener);
        calls.callAll();
    }

    @Override
    public void addRecovery(String name, LeaderRecovery recovery) {
        engine.addRecovery(name, recovery);
    }

    @Override
    public void removeRecovery(LeaderRecovery recovery) {
        engine.removeRecovery(recovery);
    }

    @Override
    public void removeListener(LeadershipListener listener) {
        engine.removeListener(listener);
    }

    @Override
    public String node() {
        return engine.node();
    }

    /** Takes part again after {@link #stop()}; a test that does not stop the elections need not start them. */
    @Override
    public void start() {
        engine.start();
        calls.callAll();
    }

    @Override
    public CompletionStage<Void> stop() {
        CompletionStage<Void> stopped = engine.stop();
        calls.callAll();
        return stopped;
    }

    /** Makes a decision. All that follows from it happens before the next one. A node that was stopped is started. */
    private void decide(Runnable decision) {
        engine.start();
        clock.executeHere(decision);
        calls.callAll();
    }

    private TestElection named(String name) {
        TestElection known = elections.get(name);
        return known != null ? known : join(name);
    }

    private TestElection join(String name) {
        TestElection election;
        synchronized (this) {
            election = elections.computeIfAbsent(name, unknown -> new TestElection(engine.get(unknown), calls));
        }
        calls.callSoon();
        return election;
    }
}
