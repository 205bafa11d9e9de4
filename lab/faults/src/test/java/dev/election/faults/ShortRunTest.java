package dev.election.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.faults.Arena.Assignment;
import dev.election.faults.checker.Checker;
import dev.election.faults.checker.Verdict;
import dev.election.faults.history.Entry;
import dev.election.faults.history.History;
import dev.election.faults.nemesis.AddressFault;
import dev.election.faults.nemesis.ClockFault;
import dev.election.faults.nemesis.DatabaseFault;
import dev.election.faults.nemesis.DumpFault;
import dev.election.faults.nemesis.Fault;
import dev.election.faults.nemesis.KubernetesFault;
import dev.election.faults.nemesis.Plan;
import dev.election.faults.nemesis.SlowLink;
import dev.election.faults.nemesis.StandbyFault;
import dev.election.faults.node.ApplicationNode;
import dev.election.faults.node.ImageNode;
import dev.election.faults.node.Node;
import dev.election.faults.report.Report;
import dev.election.faults.world.Group;
import dev.election.faults.world.Kubernetes;
import dev.election.harness.EtcdServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Every fault once, always in the same order. */
@Tag("kills-processes")
@Isolated
class ShortRunTest {

    private static final long SEED = 6;
    private static final int SERVERS = 5;

    /** More have two processors no time for: each group would last twice as long, and its processes as well. */
    private static final int AT_ONCE = 8;

    /** Longer than in a soak: the machine that runs the tests may do something else as well. */
    private static final Duration LEASE = Duration.ofSeconds(3);

    /** Their requests travel together. */
    private static final Group.Size SEVERAL = new Group.Size(Group.Size.USUAL.nodes(), 10);

    /** Longer than two primaries may be at work after a failover. */
    private static final Duration LEASE_WITH_FAILOVER = Duration.ofSeconds(4);

    /** Most of it is left when a server is back that was killed between two renewals. */
    private static final Duration LEASE_WITH_RESTARTS = Duration.ofSeconds(6);

    /** Some need a program that the build does not bring, or a minute each: soaks and scenarios have them. */
    private static final Predicate<Fault> TOO_MUCH_FOR_A_BUILD = fault -> fault instanceof ClockFault
            || (fault instanceof DatabaseFault && fault != DatabaseFault.KILL_DATABASE)
            || (fault instanceof StandbyFault && fault != StandbyFault.PROMOTED_LAGGING)
            || fault instanceof AddressFault
            || fault instanceof DumpFault
            || (fault instanceof KubernetesFault && !Kubernetes.isPossible())
            || (fault instanceof SlowLink && fault != SlowLink.LOSS_10_DELAY_50 && fault != SlowLink.LOSS_30_DELAY_200);

    @Test
    void no_fault_makes_two_leaders_or_leaves_none_for_longer_than_the_design_says() throws Exception {
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target/short-runs")), "run");
        List<Verdict> verdicts = new ArrayList<>();
        List<Verdict> others = new ArrayList<>();
        try (Arena arena = new Arena(folder, 1)) {
            for (Path file : arena.run(assignments(), AT_ONCE, () -> true)) {
                History history = History.read(file);
                verdicts.add(Checker.judge(history));
                history.others().forEach(election -> others.add(Checker.judge(history.of(election))));
            }
        }
        System.out.println(new Report(verdicts, others).markdown());
        assertThat(violations(verdicts))
                .as("seed %d, histories in %s", SEED, folder)
                .isEmpty();
        assertThat(violations(others))
                .as("other elections, seed %d, histories in %s", SEED, folder)
                .isEmpty();
        assertThat(others).hasSize(3 * (SEVERAL.elections() - 1));
        assertThat(verdicts).allSatisfy(verdict -> assertThat(nodes(verdict, Entry.Sees.class, Entry.Sees::node))
                .as("who says which members it sees")
                .containsAll(nodes(verdict, Entry.Mustered.class, mustered -> mustered.nodes()
                        .get(0))));
        assertThat(faultsIn(verdicts))
                .isEqualTo(Plan.faults()
                        .filter(fault -> !TOO_MUCH_FOR_A_BUILD.test(fault))
                        .map(Fault::name)
                        .collect(Collectors.toSet()));
    }

    /** Those that take longest are the first to start. */
    private static List<Assignment> assignments() {
        List<Assignment> assignments = new ArrayList<>();
        if (Kubernetes.isPossible()) {
            assignments.addAll(alone(LEASE_WITH_FAILOVER, Plan.Kind.KUBERNETES));
        }
        assignments.addAll(alone(LEASE_WITH_RESTARTS, Plan.Kind.ZOOKEEPER));
        assignments.addAll(alone(LEASE, Plan.Kind.MESSAGES));
        assignments.add(server(SERVERS - 1, ApplicationNode.class, Group.Size.USUAL));
        assignments.add(server(1, ImageNode.class, Group.Size.USUAL));
        assignments.add(server(0, Node.class, SEVERAL));
        for (int i = 2; i < SERVERS - 1; i++) {
            assignments.add(server(i, Node.class, Group.Size.USUAL));
        }
        assignments.addAll(alone(LEASE_WITH_RESTARTS, Plan.Kind.MUTE, Plan.Kind.FLUSHES, Plan.Kind.SNAPSHOTS));
        assignments.addAll(alone(LEASE, Plan.Kind.SLOW_LINKS, Plan.Kind.PARTITIONS));
        assignments.add(withFailover(Plan.Kind.SENTINELS));
        if (EtcdServer.isInstalled()) {
            assignments.addAll(alone(LEASE_WITH_FAILOVER, Plan.Kind.ETCD));
        }
        assignments.addAll(alone(LEASE, Plan.Kind.STANDBY, Plan.Kind.DATABASE, Plan.Kind.ACKNOWLEDGED));
        assignments.add(withFailover(Plan.Kind.CLUSTER));
        return assignments;
    }

    /** One part of the faults of a single server. */
    private static Assignment server(int part, Class<?> node, Group.Size size) {
        Plan plan = Plan.once(Plan.Kind.STANDALONE, SEED, part, SERVERS);
        return new Assignment("server" + part, Plan.Kind.STANDALONE, LEASE, plan, node, size, null);
    }

    private static Assignment withFailover(Plan.Kind kind) {
        return new Assignment(kind.name(), kind, LEASE_WITH_FAILOVER, Plan.once(kind, SEED, 0, 1)).ofSize(SEVERAL);
    }

    private static List<Assignment> alone(Duration lease, Plan.Kind... kinds) {
        return Stream.of(kinds)
                .map(kind -> {
                    List<Fault> faults = kind.ownFaults()
                            .filter(fault -> !TOO_MUCH_FOR_A_BUILD.test(fault))
                            .toList();
                    return new Assignment(kind.name(), kind, lease, Plan.of(faults, SEED));
                })
                .toList();
    }

    private static List<String> violations(List<Verdict> verdicts) {
        return verdicts.stream()
                .flatMap(verdict -> verdict.violations().stream()
                        .map(violation -> verdict.history().about().name() + ": " + violation))
                .toList();
    }

    private static <T extends Entry> Set<String> nodes(Verdict verdict, Class<T> kind, Function<T, String> node) {
        return verdict.history().all(kind).stream().map(node).collect(Collectors.toSet());
    }

    private static Set<String> faultsIn(List<Verdict> verdicts) {
        return verdicts.stream()
                .flatMap(verdict -> verdict.history().all(Entry.Injected.class).stream())
                .map(Entry.Injected::fault)
                .collect(Collectors.toSet());
    }
}
