package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FRESH_NODE;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.OTHER_PRIMARY;
import static dev.election.faults.history.Consequence.SUSPECT_STORE;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Member;
import dev.election.faults.world.Sentinels;
import dev.election.harness.RedisProcess;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Promotions of a replica whose time of day is not that of the primary, which dies. */
public enum ClockFault implements Fault {
    PROMOTED_AHEAD("`kill -9` of the primary; the clock of the promoted replica is 10 s ahead", 10) {
        @Override
        List<Member> dying(Strike strike) {
            return List.of();
        }
    },
    PROMOTED_BEHIND("`kill -9` of the primary; the clock of the promoted replica is 10 s behind", -10) {
        @Override
        List<Member> dying(Strike strike) {
            return List.of();
        }
    },
    /** The dead leader's lease has an end that is far away by the new clock. */
    PROMOTED_FAR_BEHIND("`kill -9` of the leader and of the primary; the promoted clock is a minute behind", -60) {
        @Override
        List<Member> dying(Strike strike) {
            return Target.LEADER.in(strike.group(), strike.random());
        }
    };

    private final String title;
    private final int seconds;

    ClockFault(String title, int seconds) {
        this.title = title;
        this.seconds = seconds;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        EnumSet<Consequence> all =
                EnumSet.of(NO_ELECTION, OTHER_PRIMARY, LOST_CONNECTIONS, ORPHANED_LEASE, SUSPECT_STORE);
        if (this == PROMOTED_FAR_BEHIND) {
            all.add(FRESH_NODE);
        }
        return all;
    }

    @Override
    public void prepare(Strike strike) throws Exception {
        Sentinels sentinels = (Sentinels) strike.group().topology();
        RedisProcess primary = sentinels.primary();
        RedisProcess replica = sentinels.other(primary);
        Duration shift = sentinels.clockOf(primary).shift().plus(Duration.ofSeconds(seconds));
        // A replica expires nothing by itself, so nobody sees its clock move.
        sentinels.clockOf(replica).shift(replica, shift);
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        Sentinels sentinels = (Sentinels) strike.group().topology();
        List<Member> dying = dying(strike);
        for (Member member : dying) {
            member.process().kill();
        }
        Healing restart = SentinelFault.kill(sentinels);
        return () -> {
            restart.heal();
            Member.restart(dying);
        };
    }

    abstract List<Member> dying(Strike strike);
}
