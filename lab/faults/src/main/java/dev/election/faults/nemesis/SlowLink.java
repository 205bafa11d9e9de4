package dev.election.faults.nemesis;

import static dev.election.faults.history.Consequence.SLOW_LINKS;

import dev.election.faults.history.Consequence;
import dev.election.faults.world.Member;
import dev.election.faults.world.Standalone;
import dev.election.harness.Conditions;
import dev.election.harness.Conditions.Flow;
import dev.election.harness.Link;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** Links that lose that part of all segments, and need that long each way; for many leases. */
public enum SlowLink implements Fault {
    LOSS_10_DELAY_50(10, 50),
    LOSS_10_DELAY_200(10, 200),
    LOSS_10_DELAY_400(10, 400),
    LOSS_30_DELAY_50(30, 50),
    LOSS_30_DELAY_200(30, 200),
    LOSS_30_DELAY_400(30, 400),
    LOSS_50_DELAY_50(50, 50),
    LOSS_50_DELAY_200(50, 200),
    LOSS_50_DELAY_400(50, 400);

    private final int percent;
    private final int millis;

    SlowLink(int percent, int millis) {
        this.percent = percent;
        this.millis = millis;
    }

    @Override
    public String title() {
        return percent + " % loss and " + millis + " ms each way";
    }

    @Override
    public Set<Target> targets() {
        return EnumSet.of(Target.ALL);
    }

    @Override
    public Span span() {
        return Span.LASTING;
    }

    @Override
    public Set<Consequence> consequences(Target target) {
        return EnumSet.of(SLOW_LINKS);
    }

    @Override
    public Healing inject(Strike strike) throws Exception {
        Standalone redis = (Standalone) strike.group().topology();
        List<Link> links =
                strike.victims().stream().map(Member::place).map(redis::link).toList();
        Flow slow = new Flow.Slow(percent / 100.0, millis);
        links.forEach(link -> link.become(new Conditions(slow, slow)));
        return () -> links.forEach(link -> link.become(Conditions.FINE));
    }
}
