package dev.election.faults.world;

import dev.election.faults.history.Entry;
import dev.election.faults.history.HistoryFile;
import dev.election.harness.Children;
import dev.election.harness.Wait;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Nodes that take part in one election, or several, over a store of their own. Faults are aimed at the leader of the first. */
public final class Group {

    private final String name;
    private final Duration lease;
    private final Size size;
    private final Topology topology;
    private final Children children;
    private final Fences fences;
    private final String nodeClass;
    private final @Nullable String earlier;
    private final HistoryFile history;
    private final List<Member> members = new ArrayList<>();

    /**
     * Creates it without a node.
     *
     * @param earlier the class path of an earlier build, which every second node is of; {@code null} for none
     */
    public Group(
            String name,
            Duration lease,
            Size size,
            Topology topology,
            Children children,
            Fences fences,
            String nodeClass,
            @Nullable String earlier,
            HistoryFile history) {
        this.name = name;
        this.lease = lease;
        this.size = size;
        this.topology = topology;
        this.children = children;
        this.fences = fences;
        this.nodeClass = nodeClass;
        this.earlier = earlier;
        this.history = history;
    }

    /**
     * How many there are.
     *
     * @param nodes processes
     * @param elections that each of them takes part in
     * @param partitioned whether they are the partitions of a group
     */
    public record Size(int nodes, int elections, boolean partitioned) {

        public static final Size USUAL = new Size(3, 1);

        public Size(int nodes, int elections) {
            this(nodes, elections, false);
        }
    }

    public void start(Path folder) {
        for (int place = 0; place < size.nodes(); place++) {
            members.add(new Member(this, place, folder));
        }
    }

    public String name() {
        return name;
    }

    public Duration lease() {
        return lease;
    }

    public Size size() {
        return size;
    }

    public Topology topology() {
        return topology;
    }

    public HistoryFile history() {
        return history;
    }

    public List<Member> members() {
        return List.copyOf(members);
    }

    public Optional<Member> leader() {
        return members.stream().filter(member -> member.process().leads()).findFirst();
    }

    /** Waits until all is as if nothing had ever happened. */
    public boolean awaitCalm(Duration patience) {
        topology.awaitHealth();
        return Wait.holdsWithin(patience, this::isCalm);
    }

    /** Whether everybody takes part and has heard who leads, and one does in each election. */
    public boolean isCalm() {
        return members.stream().allMatch(member -> member.process().isReady())
                && leader().isPresent()
                && members.stream()
                                .flatMap(member -> member.process().ledElsewhere().stream())
                                .distinct()
                                .count()
                        == size.elections() - 1;
    }

    /** Waits until each process sees all others as members, and none that is gone, if there are any members. */
    public void awaitRosters(Duration patience) {
        Set<String> living =
                members.stream().map(member -> member.process().id()).collect(Collectors.toSet());
        if (members.stream().allMatch(member -> member.process().seen().isEmpty())) {
            return;
        }
        // Whether they do, and in time, is for the checker to say.
        boolean unused = Wait.holdsWithin(patience, () -> members.stream()
                .allMatch(member -> member.process().seen().equals(living)));
    }

    /** Asks each node in turn to lead; where they do not hear of that, expects whoever leads to go on. */
    public void muster(Duration patience) {
        long begun = System.nanoTime();
        List<Member> asked =
                topology.carriesMessages() ? members : leader().stream().toList();
        history.append(new Entry.Mustered(
                asked.stream().map(member -> member.process().id()).toList(), begun));
        for (Member member : asked) {
            // Another one may lead by the time that a leader is asked: each of them is, once.
            Set<Member> told = new HashSet<>();
            // Whether it did is for the checker to say, which goes by answers that were given after the muster had
            // begun.
            boolean unused = Wait.holdsWithin(patience, () -> {
                leader().filter(leader -> !leader.equals(member))
                        .filter(told::add)
                        .ifPresent(leader -> leader.process()
                                .send("abdicate " + member.process().id()));
                return member.process().leadsSince(begun);
            });
        }
    }

    public void close() {
        for (Member member : members) {
            member.process().kill();
        }
    }

    /** The class path of the process in that place, {@code null} for that of the harness. */
    @Nullable
    String classPath(int place) {
        return place % 2 == 0 ? earlier : null;
    }

    String nodeClass() {
        return nodeClass;
    }

    Children children() {
        return children;
    }

    Fences fences() {
        return fences;
    }
}
