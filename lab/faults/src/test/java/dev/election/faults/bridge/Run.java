package dev.election.faults.bridge;

import dev.election.harness.Wait;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;

/** What is done to old and new nodes. */
enum Run {
    ROLLING("three old to three new and back, in order") {
        @Override
        void play(Fleet fleet, Random random) throws Exception {
            startOld(fleet, NODES);
            for (int i = 0; i < NODES; i++) {
                fleet.startNew().awaitJoined();
                // The master last, as one would do it: the others keep a dead master.
                fleet.stop(followerOrMaster(fleet, true));
            }
            fleet.awaitMaster(false);
            for (int i = 0; i < NODES; i++) {
                fleet.startOld().awaitJoined();
                fleet.stop(fleet.running(false).get(0));
            }
            fleet.awaitMaster(true);
        }
    },
    ROLLING_WITH_KILLS("the same in any order, `kill -9` of any node at any step") {
        @Override
        void play(Fleet fleet, Random random) throws Exception {
            startOld(fleet, NODES);
            int killAt = random.nextInt(2 * NODES);
            for (int step = 0; step < 2 * NODES; step++) {
                boolean forth = step < NODES;
                NodeProcess started = forth ? fleet.startNew() : fleet.startOld();
                if (step == killAt) {
                    linger(fleet, random);
                    fleet.kill(any(fleet, random));
                }
                if (!started.isDoomed()) {
                    started.awaitJoined();
                }
                linger(fleet, random);
                List<NodeProcess> leaving = fleet.running(forth);
                if (!leaving.isEmpty()) {
                    fleet.stop(leaving.get(random.nextInt(leaving.size())));
                }
                if (random.nextBoolean() || step % NODES == NODES - 1) {
                    fleet.settle();
                }
            }
            fleet.settleByHand();
        }
    },
    PAUSE_IN_LOCK("an old node is stopped inside its lock until after a new one leads") {
        @Override
        void play(Fleet fleet, Random random) throws Exception {
            NodeProcess held = fleet.startHeld();
            held.await("inside");
            List<NodeProcess> others = new ArrayList<>(List.of(fleet.startNew()));
            if (random.nextBoolean()) {
                others.add(fleet.startNew());
            }
            // When its lock has ended.
            NodeProcess leader = fleet.awaitMaster(false);
            if (random.nextBoolean()) {
                fleet.pauseUntil(held, "a renewal of the mark", fleet.renewal());
            } else {
                fleet.awaitRenewal();
            }
            // At any moment between two renewals.
            TimeUnit.NANOSECONDS.sleep(random.nextLong(fleet.pace().renewEvery().toNanos()));
            held.send("resume");
            Wait.until("the old node to be master alone", PATIENCE, () -> held.isMaster() && !leader.isMaster());
            fleet.stop(held);
            fleet.awaitMaster(false);
        }
    },
    DEATH_IN_LOCK("an old node is killed inside its lock") {
        @Override
        void play(Fleet fleet, Random random) throws Exception {
            NodeProcess held = fleet.startHeld();
            held.await("inside");
            NodeProcess started = random.nextBoolean() ? fleet.startNew() : fleet.startOld();
            linger(fleet, random);
            fleet.kill(held);
            started.awaitJoined();
            fleet.awaitMaster(started.isOld());
        }
    },
    DEAD_MASTER("the old master is killed, the old nodes keep it, a new node takes over") {
        @Override
        void play(Fleet fleet, Random random) throws Exception {
            startOld(fleet, 2);
            NodeProcess dead = fleet.awaitMaster(true);
            fleet.startNew();
            fleet.startNew().awaitJoined();
            fleet.kill(dead);
            fleet.takeOver(dead.id());
            // The old ones find the mark, and keep it.
            long since = System.nanoTime();
            Wait.until(
                    "a check of the old nodes",
                    PATIENCE,
                    () -> System.nanoTime() - since > fleet.pace().check().toNanos());
        }
    },
    PAUSED_LEADER("a new leader is stopped until after another one leads") {
        @Override
        void play(Fleet fleet, Random random) throws Exception {
            NodeProcess paused = fleet.startNew();
            paused.awaitJoined();
            fleet.awaitMaster(false);
            NodeProcess successor = fleet.startNew();
            successor.awaitJoined();
            fleet.startOld().awaitJoined();
            linger(fleet, random);
            long from = System.nanoTime();
            long pause = random.nextLong(fleet.pace().lease().toNanos());
            fleet.pauseUntil(
                    paused, "the successor to lead", () -> successor.isMaster() && System.nanoTime() - from > pause);
            Wait.until("the paused leader to see it", PATIENCE, () -> !paused.isMaster());
            fleet.stop(successor);
            fleet.stop(paused);
            fleet.awaitMaster(true);
        }
    },
    ABDICATED_MARK("the only new node abdicates, and stops in order while it cools down") {
        @Override
        void play(Fleet fleet, Random random) throws Exception {
            NodeProcess leader = fleet.startNew();
            leader.awaitJoined();
            fleet.awaitMaster(false);
            fleet.startOld().awaitJoined();
            leader.tell("abdicate", "abdicated");
            fleet.stop(leader);
            fleet.settleByHand();
        }
    },
    WITHOUT_BRIDGE("three old to three new, without the bridge") {
        @Override
        void play(Fleet fleet, Random random) throws Exception {
            startOld(fleet, NODES);
            for (int i = 0; i < NODES; i++) {
                NodeProcess started = fleet.startWithoutBridge();
                started.awaitJoined();
                if (i == 0) {
                    Wait.until("the first to lead", PATIENCE, started::isMaster);
                }
                fleet.stop(followerOrMaster(fleet, true));
            }
        }
    };

    static final int NODES = 3;

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final String title;

    Run(String title) {
        this.title = title;
    }

    abstract void play(Fleet fleet, Random random) throws Exception;

    String title() {
        return title;
    }

    private static void startOld(Fleet fleet, int count) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            fleet.startOld();
        }
        for (NodeProcess node : fleet.running(true)) {
            node.awaitJoined();
        }
        fleet.awaitMaster(true);
    }

    /** Of that kind, one that is not master if there is one. */
    private static NodeProcess followerOrMaster(Fleet fleet, boolean old) {
        List<NodeProcess> running = fleet.running(old);
        return running.stream().filter(node -> !node.isMaster()).findFirst().orElseGet(() -> running.get(0));
    }

    private static NodeProcess any(Fleet fleet, Random random) {
        List<NodeProcess> all = new ArrayList<>(fleet.running(true));
        all.addAll(fleet.running(false));
        Collections.shuffle(all, random);
        return all.get(0);
    }

    /** For up to half a check: so that what comes next does so at any moment. */
    private static void linger(Fleet fleet, Random random) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(random.nextLong(fleet.pace().check().toNanos() / 2));
    }

    /** On a Redis of its own. */
    Outcome play(Path folder, Pace pace, long seed) throws Exception {
        try (Fleet fleet = new Fleet(folder, pace)) {
            // Seeds that lie side by side would make the same first choices.
            play(fleet, new Random(seed * 0x9E3779B97F4A7C15L));
            return new Outcome(this, seed, fleet.takeOvers(), fleet.deleted(), fleet.verdict());
        }
    }
}
