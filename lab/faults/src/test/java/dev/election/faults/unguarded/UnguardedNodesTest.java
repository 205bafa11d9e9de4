package dev.election.faults.unguarded;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.faults.checker.Bound;
import dev.election.faults.checker.Checker;
import dev.election.faults.checker.Violation;
import dev.election.faults.history.Consequence;
import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import dev.election.faults.history.HistoryFile;
import dev.election.faults.node.Node;
import dev.election.faults.world.Fences;
import dev.election.faults.world.Group;
import dev.election.faults.world.Member;
import dev.election.faults.world.NodeProcess;
import dev.election.faults.world.Standalone;
import dev.election.harness.Children;
import dev.election.harness.Conditions;
import dev.election.harness.Conditions.Flow;
import dev.election.harness.Link;
import dev.election.harness.Wait;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** The harness finds what it is there to find: real nodes of which one guard is switched off break a promise, and it says so. */
@Tag("kills-processes")
@Execution(ExecutionMode.CONCURRENT)
class UnguardedNodesTest {

    private static final Duration LEASE = Duration.ofSeconds(4);

    /** One that counts from the reply outlives it by a ninth at most, which is to be seen also if the machine pauses. */
    private static final Duration LONG_LEASE = Duration.ofSeconds(12);

    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Set<Consequence> DEATH =
            EnumSet.of(Consequence.ORPHANED_LEASE, Consequence.UNREACHABLE_LEADER);
    private static final Set<Consequence> LINK_CUT =
            EnumSet.of(Consequence.ORPHANED_LEASE, Consequence.LATE_REQUESTS, Consequence.UNREACHABLE_LEADER);

    @TempDir
    private Path folder;

    @AutoClose
    private final Children children = new Children();

    @AutoClose
    private Fences fences;

    private Standalone redis;
    private HistoryFile history;
    private Group group;

    @BeforeEach
    void prepare() throws Exception {
        fences = new Fences(children, folder);
        redis = new Standalone(children, folder, Group.Size.USUAL.nodes());
        history = new HistoryFile(file());
    }

    @Test
    void a_leader_that_counts_its_lease_from_the_reply_leads_beside_its_successor() throws Exception {
        assertThat(afterSlowReplies(CountsFromReplyNode.class)).hasAtLeastOneElementOfType(Violation.TwoLeaders.class);
    }

    @Test
    void a_leader_that_counts_from_the_request_does_not() throws Exception {
        assertThat(afterSlowReplies(Node.class)).isEmpty();
    }

    @Test
    void a_lease_that_anybody_extends_outlives_its_dead_leader() throws Exception {
        assertThat(afterADeath(LegacyRenewalNode.class, this::awaitMissedLeader))
                .hasAtLeastOneElementOfType(Violation.NoLeader.class)
                .hasAtLeastOneElementOfType(Violation.Stuck.class);
    }

    @Test
    void a_lease_that_only_its_holder_extends_does_not() throws Exception {
        assertThat(afterADeath(Node.class, () -> awaitTime(2 * Bound.of(DEATH, LEASE.toMillis()))))
                .isEmpty();
    }

    /** The leader gets its replies late, and then none. */
    private List<Violation> afterSlowReplies(Class<?> node) throws Exception {
        start(node, LONG_LEASE);
        Member old = group.leader().orElseThrow();
        Link link = redis.link(old.place());
        // Less than a request may take, more than the margin for the clocks.
        link.become(new Conditions(Flow.FREE, new Flow.Late(LONG_LEASE.toMillis() / 9)));
        awaitTime(LONG_LEASE.toNanos() * 2 / 3);
        injected(old.process(), LINK_CUT);
        link.become(Conditions.CUT);
        Wait.until("a successor", PATIENCE, () -> group.members().stream()
                .anyMatch(member -> member != old && member.process().leads()));
        Wait.until("the end of the old one", PATIENCE, () -> !old.process().leads());
        link.become(Conditions.FINE);
        return violations(group.leader().orElseThrow());
    }

    /** The leader dies for ever, and the followers look after its lease at different times. */
    private List<Violation> afterADeath(Class<?> node, Runnable judgement) throws Exception {
        start(node, LEASE);
        Member late = group.members().stream()
                .filter(member -> !member.process().leads())
                .findFirst()
                .orElseThrow();
        late.process().kill();
        late.restart();
        assertThat(group.awaitCalm(PATIENCE)).isTrue();
        Member dead = group.leader().orElseThrow();
        injected(dead.process(), DEATH);
        dead.process().kill();
        judgement.run();
        return violations(group.leader().orElse(late));
    }

    private void start(Class<?> node, Duration lease) throws Exception {
        history.append(new Entry.Begun("unguarded", "STANDALONE", lease.toMillis(), 0, System.nanoTime()));
        group = new Group("unguarded", lease, Group.Size.USUAL, redis, children, fences, node.getName(), null, history);
        group.start(folder);
        assertThat(group.awaitCalm(PATIENCE)).isTrue();
    }

    /** The checker takes nobody to task for some seconds after each time for which the machine stood still. */
    private void awaitMissedLeader() {
        Wait.until("the checker to miss a leader", PATIENCE, () -> soFar().stream()
                .anyMatch(Violation.NoLeader.class::isInstance));
    }

    private List<Violation> soFar() {
        try {
            List<Entry> entries = new ArrayList<>(History.read(file()).entries());
            long now = System.nanoTime();
            entries.add(new Entry.Healed(0, now));
            entries.add(new Entry.Over(now));
            return Checker.judge(new History(entries)).violations();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Path file() {
        return folder.resolve("history.txt");
    }

    private static void awaitTime(long nanos) {
        long begun = System.nanoTime();
        Wait.until("time to pass", PATIENCE, () -> System.nanoTime() - begun > nanos);
    }

    private void injected(NodeProcess victim, Set<Consequence> consequences) {
        long now = System.nanoTime();
        history.append(new Entry.Injected(
                0, 0, "BY_HAND", "LEADER", List.of(victim.id()), consequences, consequences, now, now));
    }

    /** What the checker says if that member is expected to lead at the end. */
    private List<Violation> violations(Member leader) throws Exception {
        history.append(new Entry.Healed(0, System.nanoTime()));
        history.append(new Entry.Mustered(List.of(leader.process().id()), System.nanoTime()));
        awaitTime(group.lease().toNanos() / 10);
        history.append(new Entry.Over(System.nanoTime()));
        group.close();
        history.close();
        return Checker.judge(History.read(file())).violations();
    }
}
