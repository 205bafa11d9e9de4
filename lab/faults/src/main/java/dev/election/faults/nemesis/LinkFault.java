package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.LATE_REQUESTS;
import static dev.election.faults.history.Consequence.LOST_CONNECTIONS;
import static dev.election.faults.history.Consequence.NO_ELECTION;
import static dev.election.faults.history.Consequence.ORPHANED_LEASE;
import static dev.election.faults.history.Consequence.UNREACHABLE_LEADER;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Linked;
import dev.election.faults.world.Member;
import dev.election.harness.Conditions;
import dev.election.harness.Conditions.Flow;
import dev.election.harness.Link;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Harm to the way between a node and its store. */
public enum LinkFault implements Fault {
    CUT("cut both ways") {
        @Override
        Conditions conditions(Strike strike) {
            return Conditions.CUT;
        }
    },
    CUT_REQUESTS("requests held back, replies pass") {
        @Override
        Conditions conditions(Strike strike) {
            return new Conditions(new Flow.Held(), Flow.FREE);
        }
    },
    CUT_REPLIES("replies held back, requests pass") {
        @Override
        Conditions conditions(Strike strike) {
            return new Conditions(Flow.FREE, new Flow.Held());
        }
    },
    REFUSE("connections reset and refused") {
        @Override
        Conditions conditions(Strike strike) {
            return Conditions.FINE;
        }

        @Override
        void harm(Link link, Strike strike) throws Exception {
            link.refuse();
        }
    },
    DELAY("requests and replies delayed by up to half a lease") {
        @Override
        Conditions conditions(Strike strike) {
            long millis = strike.between(20, (int) strike.group().lease().toMillis() / 2);
            return new Conditions(new Flow.Late(millis), new Flow.Late(millis));
        }
    },
    THROTTLE("some hundred bytes a second") {
        @Override
        Conditions conditions(Strike strike) {
            int rate = strike.between(200, 2000);
            return new Conditions(new Flow.Narrow(rate), new Flow.Narrow(rate));
        }
    },
    LOSE_AFTER("all lost after n bytes") {
        @Override
        Conditions conditions(Strike strike) {
            return new Conditions(new Flow.Lossy(strike.between(0, 1000)), new Flow.Lossy(strike.between(0, 300)));
        }
    },
    RESET_MID_REPLY("reset in the middle of a reply") {
        @Override
        Conditions conditions(Strike strike) {
            return new Conditions(Flow.FREE, new Flow.Reset(strike.between(1, 60)));
        }
    };

    private final String title;

    LinkFault(String title) {
        this.title = title;
    }

    @Override
    public String title() {
        return title;
    }

    @Override
    public Set<Target> targets() {
        return EnumSet.complementOf(EnumSet.of(Target.STORE));
    }

    @Override
    public Span span() {
        return Span.ANY;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        EnumSet<Consequence> all = EnumSet.noneOf(Consequence.class);
        if (target != Target.FOLLOWER) {
            all.addAll(EnumSet.of(ORPHANED_LEASE, UNREACHABLE_LEADER));
        }
        if (target != Target.FOLLOWER && this != REFUSE) {
            all.add(LATE_REQUESTS);
        }
        if (target == Target.ALL) {
            all.addAll(EnumSet.of(NO_ELECTION, LOST_CONNECTIONS));
        }
        return all;
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        Linked store = (Linked) strike.group().topology();
        List<Link> links =
                strike.victims().stream().map(Member::place).map(store::link).toList();
        for (Link link : links) {
            harm(link, strike);
        }
        return () -> {
            for (Link link : links) {
                link.become(Conditions.FINE);
                link.open();
            }
        };
    }

    abstract Conditions conditions(Strike strike);

    void harm(Link link, Strike strike) throws Exception {
        link.become(conditions(strike));
    }
}
