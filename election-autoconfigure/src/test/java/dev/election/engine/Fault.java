package dev.election.engine;

import java.util.Random;

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
    LEASE_VANISHES {
        @Override
        void strike(Simulation world) {
            world.note("store: the lease vanishes");
            world.loseLease();
        }
    };

    abstract void strike(Simulation world);

    static Fault draw(Random random) {
        return values()[random.nextInt(values().length)];
    }

    private static long upTo(Simulation world, double leases) {
        return (long) (world.random.nextDouble() * leases * world.lease.toNanos());
    }
}
