package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.HAND_OVER;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Member;
import dev.election.faults.world.NodeProcess;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Harm to processes. */
public enum NodeFault implements Fault {
    KILL("`kill -9`, restarted later", Span.ANY, Ending.SUDDEN, strike -> {
        List<NodeProcess> killed = processes(strike);
        for (NodeProcess process : killed) {
            process.kill();
        }
        return () -> replace(strike, killed);
    }),
    TERMINATE("SIGTERM, restarted later", Span.ANY, Ending.ORDERLY, strike -> {
        List<NodeProcess> terminated = processes(strike);
        for (NodeProcess process : terminated) {
            process.signal("TERM");
        }
        return () -> {
            for (NodeProcess process : terminated) {
                process.awaitEnd();
            }
            replace(strike, terminated);
        };
    }),
    SHORT_PAUSE("SIGSTOP for less than the lease", Span.SHORT, Ending.NONE, NodeFault::pause),
    LONG_PAUSE("SIGSTOP for longer than the lease", Span.LONG, Ending.NONE, NodeFault::pause),
    HANGING_WORK("the guarded work hangs", Span.LONG, Ending.NONE, strike -> {
        for (Member victim : strike.victims()) {
            victim.process().send("hang " + strike.length());
        }
        return Healing.NONE;
    }),
    WRONG_WALL_CLOCK("`kill -9`, restarted with a time of day that is days off", Span.SHORT, Ending.SUDDEN, strike -> {
        List<NodeProcess> killed = processes(strike);
        for (Member victim : strike.victims()) {
            victim.shiftWall(Duration.ofHours(strike.between(-100, 100)));
            victim.process().kill();
        }
        return () -> {
            replace(strike, killed);
            strike.victims().forEach(victim -> victim.shiftWall(Duration.ZERO));
        };
    });

    private final String title;
    private final Span span;
    private final Ending ending;

    @SuppressWarnings("ImmutableEnumChecker")
    private final Harm harm;

    NodeFault(String title, Span span, Ending ending, Harm harm) {
        this.title = title;
        this.span = span;
        this.ending = ending;
        this.harm = harm;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Set<Target> targets() {
        return this == HANGING_WORK ? EnumSet.of(Target.LEADER) : EnumSet.complementOf(EnumSet.of(Target.STORE));
    }

    @Override
    public Span span() {
        return span;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        EnumSet<Consequence> all = EnumSet.noneOf(Consequence.class);
        if (this == HANGING_WORK) {
            return all;
        }
        if (target != Target.FOLLOWER) {
            all.add(ending == Ending.ORDERLY ? HAND_OVER : ORPHANED_LEASE);
            all.add(UNREACHABLE_LEADER);
        }
        if (target == Target.ALL) {
            all.addAll(EnumSet.of(NO_ELECTION, LOST_CONNECTIONS));
        }
        if (ending != Ending.NONE) {
            all.add(FRESH_NODE);
        }
        return all;
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        return harm.of(strike);
    }

    private static Healing pause(Strike strike) throws Exception {
        List<NodeProcess> paused = processes(strike);
        for (NodeProcess process : paused) {
            process.signal("STOP");
        }
        return () -> {
            for (NodeProcess process : paused) {
                process.signal("CONT");
            }
        };
    }

    private static List<NodeProcess> processes(Strike strike) {
        return strike.victims().stream().map(Member::process).toList();
    }

    /** Unless another fault at the same time has done so. */
    private static void replace(Strike strike, List<NodeProcess> ended) throws Exception {
        Member.restart(strike.victims().stream()
                .filter(victim -> ended.contains(victim.process()))
                .toList());
    }

    private interface Harm {
        Healing of(Strike strike) throws Exception;
    }

    private enum Ending {
        NONE,
        ORDERLY,
        SUDDEN
    }
}
