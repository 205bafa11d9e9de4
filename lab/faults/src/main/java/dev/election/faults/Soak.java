package dev.election.faults;

import dev.election.faults.Arena.Assignment;
import dev.election.faults.checker.Checker;
import dev.election.faults.checker.Verdict;
import dev.election.faults.history.History;
import dev.election.faults.nemesis.NodeFault;
import dev.election.faults.nemesis.Plan;
import dev.election.faults.nemesis.Target;
import dev.election.faults.node.ImageNode;
import dev.election.faults.node.Node;
import dev.election.faults.report.Report;
import dev.election.faults.report.Timeline;
import dev.election.faults.world.Group;
import dev.election.faults.world.Kubernetes;
import dev.election.faults.world.OwnClock;
import dev.election.harness.EtcdServer;
import dev.election.harness.KubernetesServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

/** The main class: breaks things for as long as one likes, or judges what was recorded before. */
public final class Soak {

    private static final String USAGE =
            """
            faults.jar run <minutes> <seed> <folder> [<group>...]  break things, then judge
            faults.jar scenario <name> <rounds> <folder>           one fault again and again; what came of each
            faults.jar judge <folder>...                           judge the histories of runs again
            faults.jar picture <history> <episode> <episode>       who led when, from one episode to another, as SVG""";

    private static final Duration SHORT = Duration.ofSeconds(2);

    /** Until the Sentinels or the Cluster have told everybody of a new primary, the old one may answer: see docs/guarantees.md. */
    private static final Duration LONG = Duration.ofSeconds(4);

    /** Longer than a link that is to be slow takes for a connection, and than whoever is to ask before the next renewal. */
    private static final Duration SLOW = Duration.ofSeconds(5);

    /** In leases: the machine should not have more to do than to wait. */
    private static final double REST = 2;

    /** Started by its name only: many processes, each in many elections, of which nothing but `kill -9` takes one away. */
    private static final String CROWD = "crowd";

    private static final Group.Size CROWDED = new Group.Size(20, 200);

    /** Started by their names only: processes that share partitions out, under the faults of processes or all of a server. */
    private static final List<String> SHARED = List.of("shared", "shared-server");

    private static final Group.Size SHARING = new Group.Size(5, 64, true);

    private Soak() {}

    public static void main(String[] arguments) throws Exception {
        String command = arguments.length == 0 ? "" : arguments[0];
        boolean clean = true;
        if (command.equals("run") && arguments.length >= 4) {
            long minutes = Long.parseLong(arguments[1]);
            List<Assignment> all = assignments(minutes, Long.parseLong(arguments[2]));
            List<String> chosen = List.of(arguments).subList(4, arguments.length);
            clean = run(
                    minutes,
                    Path.of(arguments[3]),
                    all.stream()
                            .filter(assignment -> chosen.isEmpty()
                                    ? !assignment.name().equals(CROWD) && !SHARED.contains(assignment.name())
                                    : chosen.contains(assignment.name()))
                            .toList());
        } else if (command.equals("scenario") && arguments.length == 4) {
            clean = Scenario.named(arguments[1]).run(Integer.parseInt(arguments[2]), Path.of(arguments[3]));
        } else if (command.equals("judge") && arguments.length >= 2) {
            clean = judge(List.of(arguments).subList(1, arguments.length));
        } else if (command.equals("picture") && arguments.length == 4) {
            Verdict verdict = Checker.judge(History.read(Path.of(arguments[1])));
            System.out.print(Timeline.of(verdict, Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3])));
        } else {
            System.err.println(USAGE);
            clean = false;
        }
        System.exit(clean ? 0 : 1);
    }

    private static boolean run(long minutes, Path folder, List<Assignment> assignments) throws Exception {
        long begun = System.nanoTime();
        long length = Duration.ofMinutes(minutes).toNanos();
        try (Arena arena = new Arena(folder, REST)) {
            assignments.forEach(assignment -> System.out.println(assignment.name() + ": " + assignment.kind()
                    + ", seed " + assignment.plan().seed()));
            List<Path> unused = arena.run(assignments, assignments.size(), () -> System.nanoTime() - begun < length);
        } catch (ExecutionException failure) {
            // What was recorded until then is worth judging.
            System.out.println("A group did not come to its end: " + failure.getCause());
        }
        return judge(List.of(folder.toString()));
    }

    private static List<Assignment> assignments(long minutes, long seed) {
        int count = Math.toIntExact(minutes * 30);
        List<Assignment> assignments = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            Plan plan = Plan.soak(Plan.Kind.STANDALONE, seed + i, count);
            assignments.add(new Assignment("server" + i, Plan.Kind.STANDALONE, SHORT, plan));
        }
        assignments.add(new Assignment(
                "elders", Plan.Kind.STANDALONE, SHORT, Plan.withoutDeaths(Plan.Kind.STANDALONE, seed + 4, count)));
        assignments.add(new Assignment(
                "sentinels", Plan.Kind.SENTINELS, LONG, Plan.soak(Plan.Kind.SENTINELS, seed + 5, count)));
        assignments.add(
                new Assignment("cluster", Plan.Kind.CLUSTER, LONG, Plan.soak(Plan.Kind.CLUSTER, seed + 6, count)));
        assignments.add(
                new Assignment("database", Plan.Kind.DATABASE, LONG, Plan.soak(Plan.Kind.DATABASE, seed + 18, count)));
        assignments.add(alone("standby", Plan.Kind.STANDBY, LONG, seed + 19, count));
        assignments.add(alone("address", Plan.Kind.ADDRESS, LONG, seed + 20, count));
        assignments.add(alone("dumps", Plan.Kind.DUMPS, LONG, seed + 21, count));
        assignments.add(alone("snapshots", Plan.Kind.SNAPSHOTS, LONG, seed + 7, count));
        assignments.add(alone("messages", Plan.Kind.MESSAGES, SHORT, seed + 8, count));
        assignments.add(alone("slow-links", Plan.Kind.SLOW_LINKS, SLOW, seed + 9, count));
        assignments.add(alone("flushes", Plan.Kind.FLUSHES, SLOW, seed + 13, count));
        assignments.add(alone("mute", Plan.Kind.MUTE, SLOW, seed + 14, count));
        Plan restarts =
                Plan.repeated(NodeFault.KILL, List.of(Target.LEADER, Target.FOLLOWER, Target.ALL), seed + 15, count);
        assignments.add(new Assignment(
                "images", Plan.Kind.STANDALONE, SHORT, restarts, ImageNode.class, Group.Size.USUAL, null));
        String earlier = System.getProperty("faults.earlier");
        if (earlier != null) {
            Plan plan = Plan.soak(Plan.Kind.STANDALONE, seed + 17, count);
            assignments.add(
                    new Assignment("builds", Plan.Kind.STANDALONE, SHORT, plan, Node.class, Group.Size.USUAL, earlier));
        }
        assignments.add(alone("partitions", Plan.Kind.PARTITIONS, LONG, seed + 10, count));
        assignments.add(alone("acknowledged", Plan.Kind.ACKNOWLEDGED, LONG, seed + 16, count));
        if (OwnClock.isPossible()) {
            assignments.add(alone("clocks", Plan.Kind.CLOCKS, LONG, seed + 11, count));
        } else {
            System.out.println("No group 'clocks' without -Dfaults.clock.redis and -Dfaults.clock.preload");
        }
        if (EtcdServer.isInstalled()) {
            assignments.add(new Assignment("etcd", Plan.Kind.ETCD, LONG, Plan.soak(Plan.Kind.ETCD, seed + 23, count)));
        } else {
            System.out.println("No group 'etcd' without etcd and etcdctl");
        }
        assignments.add(new Assignment(
                "zookeeper", Plan.Kind.ZOOKEEPER, SLOW, Plan.soak(Plan.Kind.ZOOKEEPER, seed + 24, count)));
        if (Kubernetes.isPossible()) {
            Plan plan = Plan.soak(Plan.Kind.KUBERNETES, seed + 22, count);
            assignments.add(new Assignment("kubernetes", Plan.Kind.KUBERNETES, LONG, plan));
        } else {
            System.out.println("No group 'kubernetes' without -D" + KubernetesServer.PROPERTY);
        }
        Group.Size size = new Group.Size(Group.Size.USUAL.nodes(), Integer.getInteger("faults.elections", 1));
        assignments.replaceAll(assignment -> assignment.ofSize(size));
        Plan kills = Plan.repeated(NodeFault.KILL, List.of(Target.LEADER, Target.FOLLOWER), seed + 12, count);
        assignments.add(new Assignment(CROWD, Plan.Kind.STANDALONE, SLOW, kills).ofSize(CROWDED));
        List<Plan> plans =
                List.of(Plan.ofProcesses(seed + 25, count), Plan.soak(Plan.Kind.STANDALONE, seed + 26, count));
        for (int i = 0; i < SHARED.size(); i++) {
            assignments.add(new Assignment(SHARED.get(i), Plan.Kind.STANDALONE, SHORT, plans.get(i)).ofSize(SHARING));
        }
        return assignments;
    }

    private static Assignment alone(String name, Plan.Kind kind, Duration lease, long seed, int count) {
        return new Assignment(name, kind, lease, Plan.alone(kind, seed, count));
    }

    private static boolean judge(List<String> folders) throws IOException {
        List<Verdict> verdicts = new ArrayList<>();
        List<Verdict> others = new ArrayList<>();
        for (String folder : folders) {
            try (var groups = Files.list(Path.of(folder))) {
                for (Path group : groups.sorted().toList()) {
                    Path history = group.resolve("history.txt");
                    if (Files.exists(history)) {
                        History whole = History.read(history);
                        verdicts.add(Checker.judge(whole));
                        whole.others().forEach(election -> others.add(Checker.judge(whole.of(election))));
                    }
                }
            }
        }
        Report report = new Report(verdicts, others);
        System.out.print(report.markdown());
        return report.isClean();
    }
}
