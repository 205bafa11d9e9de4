package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.FORGETFUL_STORE;
import static dev.election.faults.history.Consequence.FRESH_NODE;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Member;
import dev.election.faults.world.Standalone;
import dev.election.harness.Conditions;
import dev.election.harness.Conditions.Flow;
import dev.election.harness.Link;
import dev.election.harness.RedisProcess;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** A server that forgets everything while the leader is connected to it over a slow link: its answer to a roll call takes as long. */
public enum FlushFault implements Fault {
    FLUSHED_BESIDE_FOLLOWERS("`FLUSHALL` while the leader is 60 ms away") {
        @Override
        void flush(Standalone redis, Link ofLeader, List<Member> followers) throws Exception {
            ofLeader.become(FAR);
            redis.primary().ask("FLUSHALL");
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(FORGETFUL_STORE);
        }
    },
    FLUSHED_BESIDE_FRESH_NODES("the same, and all others have just started and ask before the leader renews") {
        @Override
        void flush(Standalone redis, Link ofLeader, List<Member> followers) throws Exception {
            for (Member follower : followers) {
                redis.link(follower.place()).refuse();
                follower.process().kill();
            }
            Member.restart(followers);
            ofLeader.become(new Conditions(new Flow.Held(), SLOW));
            redis.primary().ask("FLUSHALL");
            for (Member follower : followers) {
                redis.link(follower.place()).open();
            }
            awaitFirstQuestion(redis.primary());
            ofLeader.become(FAR);
        }

        @Override
        public Set<Consequence> consequences(Target target) {
            return EnumSet.of(FORGETFUL_STORE, FRESH_NODE);
        }
    };

    /** A round trip of a tenth of a second and more, as between two continents. */
    private static final Flow SLOW = new Flow.Slow(0, 60);

    private static final Conditions FAR = new Conditions(SLOW, SLOW);

    private final String title;

    FlushFault(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Span span() {
        return Span.LONG;
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        Standalone redis = (Standalone) strike.group().topology();
        Member leader = Target.LEADER.in(strike.group(), strike.random()).get(0);
        List<Member> followers = strike.group().members().stream()
                .filter(member -> !member.equals(leader))
                .toList();
        Link link = redis.link(leader.place());
        flush(redis, link, followers);
        return () -> link.become(Conditions.FINE);
    }

    abstract void flush(Standalone redis, Link ofLeader, List<Member> followers) throws Exception;

    /** Waits for the first request, which begins a lock delay. The leader is refused meanwhile, but not for longer than a lease. */
    private static void awaitFirstQuestion(RedisProcess redis) throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(3).toNanos();
        while (redis.ask("EXISTS", StoreFault.key("lock-delay")).equals(0L) && System.nanoTime() < end) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }
}
