package dev.election.internal.simulation;

import dev.election.Abdication;
import dev.election.AbdicationRequest;
import dev.election.record.AtomicStore;
import dev.election.store.StoreEvent;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Random;
import java.util.Set;

/** What the simulation does to its world, at times of the seed's choice. */
enum Fault {
    PAUSE {
        @Override
        void strike(Simulation world) {
            world.leaderOrAny().pause(upTo(world, 3));
        }
    },
    CRASH {
        @Override
        void strike(Simulation world) {
            world.leaderOrAny().crash(upTo(world, 2));
        }
    },
    CUT_OFF {
        @Override
        void strike(Simulation world) {
            world.leaderOrAny().cutOff(upTo(world, 2));
        }
    },
    ABDICATE {
        @Override
        void strike(Simulation world) {
            world.leaderOrAny().abdicate();
        }
    },
    ASK_TO_ABDICATE {
        @Override
        void strike(Simulation world) {
            request(world, false);
        }
    },
    FORCE_TO_ABDICATE {
        @Override
        void strike(Simulation world) {
            request(world, true);
        }
    },
    STOP_AND_START {
        @Override
        void strike(Simulation world) {
            world.leaderOrAny().stopAndStart(upTo(world, 1));
        }
    },
    STORE_AWAY {
        @Override
        void strike(Simulation world) {
            world.note("store: away");
            world.storeAway(upTo(world, 2));
        }
    },
    STORE_FORGETS {
        @Override
        void strike(Simulation world) {
            world.note(world.forget() ? "store: forgets everything" : "store: would forget, but a node is fresh");
        }
    },
    STORE_SAVED {
        @Override
        void strike(Simulation world) {
            world.note("store: saved");
            world.saveStore();
        }
    },
    STORE_RESTARTS_WITH_OLD_DATA {
        @Override
        void strike(Simulation world) {
            Set<AtomicStore.Part> old = EnumSet.allOf(AtomicStore.Part.class);
            old.removeIf(part -> world.random.nextInt(4) == 0);
            world.note(world.restartStore(old) ? "store: restarts with an old " + old : "store: has no old data");
        }
    },
    COPY_IS_PROMOTED {
        @Override
        void strike(Simulation world) {
            long ahead = world.random.nextBoolean() ? 0 : world.random.nextInt(-10_000, 10_001);
            world.note(
                    world.promoteCopy(ahead)
                            ? "store: a copy is promoted, its clock " + ahead + " ms ahead"
                            : "store: has no copy");
        }
    },
    FORGED_EVENT {
        @Override
        void strike(Simulation world) {
            StoreEvent forged = new Forger(world).forge();
            world.note("somebody publishes " + forged);
            // What followers believe of it, they believe for a lease; an abdication may take two.
            world.faultUntil(2 * world.lease.toNanos());
            world.publish(forged);
        }
    },
    LEASE_VANISHES {
        @Override
        void strike(Simulation world) {
            world.note(
                    world.loseLease()
                            ? "store: the lease vanishes"
                            : "store: would lose the lease, but its clock went back");
        }
    };

    abstract void strike(Simulation world);

    static Fault draw(Random random) {
        return values()[random.nextInt(values().length)];
    }

    /** By any node, now and then for the benefit of another, which may be gone. */
    private static void request(Simulation world, boolean force) {
        String successor = world.random.nextBoolean() ? world.anyNode().name() : null;
        Abdication how = new Abdication(
                Duration.ofNanos(upTo(world, 0.3)),
                Duration.ofNanos(upTo(world, 0.5)),
                successor,
                Duration.ofNanos(successor == null ? 0 : upTo(world, 0.5)));
        // The last message is under way, and its effect with it, when patience, drain, patience and reserve have
        // passed.
        world.faultUntil(2 * world.lease.toNanos());
        world.anyNode().requestAbdication(new AbdicationRequest(how, world.lease.dividedBy(4), force));
    }

    private static long upTo(Simulation world, double leases) {
        return (long) (world.random.nextDouble() * leases * world.lease.toNanos());
    }
}
