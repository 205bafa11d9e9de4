package dev.election.faults.nemesis;

import dev.election.faults.history.Entry;
import dev.election.faults.world.Group;
import dev.election.faults.world.Member;
import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/** Carries out a plan against one group: each episode begins when the group has recovered from the last. */
public final class Nemesis {

    /** A machine that does something else as well takes its time to start so many processes. */
    private static final Duration START = Duration.ofMinutes(5);

    /** Longer than any bound: what has not recovered by then is stuck. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Group group;
    private final Plan plan;
    private final double rest;
    private int faults;

    /** Leaves the group in peace between two episodes for so many leases, one half more or less; at least one. */
    public Nemesis(Group group, Plan plan, double rest) {
        this.group = group;
        this.plan = plan;
        this.rest = rest;
    }

    /**
     * Goes on until the plan is done or it is told not to, then asks every node to lead once.
     *
     * @param started is run when the group has started, or has not for too long
     * @param goesOn whether another episode may begin
     */
    public void run(Runnable started, BooleanSupplier goesOn) throws Exception {
        Random random = new Random(plan.seed());
        try {
            boolean recovers = group.awaitCalm(START);
            started.run();
            for (int episode = 0; recovers && episode < plan.episodes().size() && goesOn.getAsBoolean(); episode++) {
                recovers = awaitRecovery(random);
                if (recovers) {
                    perform(episode, plan.episodes().get(episode));
                }
            }
            if (recovers && awaitRecovery(random)) {
                group.awaitRosters(PATIENCE);
                group.muster(group.lease().multipliedBy(4));
            }
        } finally {
            group.history().append(new Entry.Over(System.nanoTime()));
        }
    }

    /** Waits until the group stays calm for longer than a renewal interval: a fault may show only at the next renewal. */
    private boolean awaitRecovery(Random random) throws IOException, InterruptedException {
        do {
            if (!group.awaitCalm(PATIENCE)) {
                return false;
            }
            TimeUnit.NANOSECONDS.sleep(leases(rest * (0.5 + random.nextDouble())));
        } while (!group.isCalm());
        return true;
    }

    private void perform(int episode, List<Step> steps) throws Exception {
        PriorityQueue<Action> actions = new PriorityQueue<>(Comparator.comparingLong(Action::at));
        long begun = System.nanoTime();
        for (Step step : steps) {
            actions.add(new Action(begun + leases(step.delay()), () -> inject(episode, step, actions)));
        }
        for (Action next = actions.poll(); next != null; next = actions.poll()) {
            long left = next.at() - System.nanoTime();
            if (left > 0) {
                TimeUnit.NANOSECONDS.sleep(left);
            }
            next.deed().run();
        }
    }

    private void inject(int episode, Step step, PriorityQueue<Action> actions) throws Exception {
        Random random = new Random(step.seed());
        List<Member> victims = step.target().in(group, random);
        List<String> ids = victims.stream().map(victim -> victim.process().id()).toList();
        Duration length = Duration.ofMillis(leases(step.length()) / 1_000_000);
        int number = faults++;
        Strike strike = new Strike(group, victims, length, random);
        step.fault().prepare(strike);
        long from = System.nanoTime();
        Fault.Healing healing = step.fault().inject(strike);
        long until = System.nanoTime();
        group.history()
                .append(new Entry.Injected(
                        number,
                        episode,
                        step.fault().name(),
                        step.target().name(),
                        ids,
                        step.fault().consequences(step.target()),
                        step.fault().consequences(worst(step.target())),
                        from,
                        until));
        actions.add(new Action(until + length.toNanos(), () -> {
            healing.heal();
            group.history().append(new Entry.Healed(number, System.nanoTime()));
        }));
    }

    /** A follower of the first election may lead another. */
    private static Target worst(Target target) {
        return target == Target.FOLLOWER ? Target.LEADER : target;
    }

    private long leases(double count) {
        return Math.round(count * group.lease().toNanos());
    }

    private record Action(long at, Deed deed) {}

    @FunctionalInterface
    private interface Deed {
        void run() throws Exception;
    }
}
