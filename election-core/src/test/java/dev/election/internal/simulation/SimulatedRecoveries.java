package dev.election.internal.simulation;

import dev.election.FencingToken;
import dev.election.LeaderRecovery;
import dev.election.LeaderWork;
import dev.election.internal.recovery.Recoveries;
import dev.election.internal.recovery.RecoveryRun;
import dev.election.internal.recovery.TakeOver;
import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What new leaders of a simulated world do before their work: it takes time, fails, or takes longer than the lease that it may take. Now and then
 * somebody asks a leader to give up. Once it is calm, all of it succeeds within {@link #CALM_IN_LEASES}.
 */
public final class SimulatedRecoveries {

    static final double CALM_IN_LEASES = 0.2;

    private static final int RECOVERIES = 2;
    private static final int GIVE_UPS = 3;
    private static final String NAME = "simulated-recovery-";
    private static final String ASKED = "the world has asked for it";

    private final Simulation world;
    private final Random chances;
    private long calmAt;

    SimulatedRecoveries(Simulation world, long seed) {
        this.world = world;
        this.chances = new Random(13 * seed + 5);
    }

    /** Whether what is run on a thread for callbacks is a recovery. Listeners have a queue, and it is that which is run for them. */
    public static boolean isRecovery(Runnable task) {
        return task.getClass().getName().startsWith(RecoveryRun.class.getName());
    }

    /** Whether that is a reason for which leaders of this world give up. */
    static boolean isGivenUp(@Nullable String requestedBy) {
        return requestedBy != null && (requestedBy.contains(NAME) || requestedBy.equals(ASKED));
    }

    void disturb(long end) {
        calmAt = end;
        for (int i = 0; i < GIVE_UPS; i++) {
            world.at((long) (chances.nextDouble() * end), "giving up", () -> world.leaderOrAny()
                    .giveUp(ASKED));
        }
    }

    private boolean isCalm() {
        return world.now() >= calmAt;
    }

    private long duration() {
        double leases = chances.nextDouble();
        if (isCalm()) {
            leases *= CALM_IN_LEASES / RECOVERIES;
        } else if (chances.nextInt(5) == 0) {
            leases += 1;
        }
        return (long) (leases * world.lease.toNanos());
    }

    /** The recoveries of one process, which run one after another. */
    final class Process {

        private final BiConsumer<Long, Runnable> timer;
        private final Set<FencingToken> underWay = new HashSet<>();

        /** The latest leadership. */
        private @Nullable FencingToken latest;

        /** How many of its recoveries have returned. */
        private int returned;

        /**
         * @param timer runs something after that many nanoseconds, unless the process is dead by then
         */
        Process(BiConsumer<Long, Runnable> timer) {
            this.timer = timer;
        }

        Recoveries configured() {
            Recoveries all = new Recoveries(new TakeOver(world.lease, false));
            for (int i = 0; i < RECOVERIES; i++) {
                all.add(NAME + i, new Numbered(i));
            }
            return all;
        }

        private final class Numbered implements LeaderRecovery {

            private final int number;

            private Numbered(int number) {
                this.number = number;
            }

            @Override
            public String election() {
                return SimulatedNode.ELECTION;
            }

            @Override
            public void recover(LeaderWork work) {
                Process.this.recover(number, work);
            }
        }

        /** A leadership begins to recover. */
        void begin(FencingToken token) {
            latest = token;
            returned = 0;
        }

        /** A recovery takes its time before it does anything. */
        void call(Runnable task) {
            FencingToken token = latest;
            if (token == null || !isRecovery(task)) {
                task.run();
                return;
            }
            if (!underWay.isEmpty()) {
                throw world.violation("A recovery begins while one of an earlier leadership still runs");
            }
            long duration = duration();
            world.faultUntil(duration);
            underWay.add(token);
            timer.accept(duration, () -> {
                underWay.remove(token);
                task.run();
            });
        }

        private void recover(int number, LeaderWork work) {
            if (!work.token().equals(latest) || returned != number) {
                throw world.violation("Recovery " + number + " runs out of order");
            }
            if (!isCalm() && chances.nextInt(5) == 0) {
                throw new IllegalStateException("no disk");
            }
            if (work.isCurrent() && !work.election().runIfLeader(() -> {})) {
                throw world.violation("A recovery is refused a part of its work");
            }
            returned++;
        }

        boolean hasRecovered(FencingToken token) {
            return token.equals(latest) && returned == RECOVERIES;
        }

        boolean isUnderWay(FencingToken token) {
            return underWay.contains(token);
        }
    }
}
