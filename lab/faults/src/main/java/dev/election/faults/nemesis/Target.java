package dev.election.faults.nemesis;

import dev.election.faults.world.Group;
import dev.election.faults.world.Member;
import java.util.List;
import java.util.random.RandomGenerator;

/** Whom a fault befalls, decided when it does. */
public enum Target {
    LEADER {
        @Override
        List<Member> in(Group group, RandomGenerator random) {
            return group.leader().map(List::of).orElseGet(() -> FOLLOWER.in(group, random));
        }
    },
    FOLLOWER {
        @Override
        List<Member> in(Group group, RandomGenerator random) {
            List<Member> followers = group.members().stream()
                    .filter(member -> !member.process().leads())
                    .toList();
            return List.of(followers.get(random.nextInt(followers.size())));
        }
    },
    /** All nodes. */
    ALL {
        @Override
        List<Member> in(Group group, RandomGenerator random) {
            return group.members();
        }
    },
    /** The store of the group. */
    STORE {
        @Override
        List<Member> in(Group group, RandomGenerator random) {
            return List.of();
        }
    };

    abstract List<Member> in(Group group, RandomGenerator random);
}
