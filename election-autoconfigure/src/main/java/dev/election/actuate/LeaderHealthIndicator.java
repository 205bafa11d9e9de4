package dev.election.actuate;

import dev.election.Election;
import dev.election.Elections;
import dev.election.text.ReadableDuration;
import dev.election.watch.ElectionWatch;
import dev.election.watch.Impediment;
import dev.election.watch.Impediments;
import dev.election.watch.Incident;
import dev.election.watch.NotYetCandidate;
import dev.election.watch.StuckWork;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;

/**
 * Whether the elections can do their work, which is not whether this node leads: a follower is as well as a leader. Down only when
 * the store has given no answer for longer than a lease, when guarded work of this leader hangs and that was asked for, or when
 * other work of this leader is not done.
 */
public final class LeaderHealthIndicator implements HealthIndicator {

    private static final String OTHER_APPLICATIONS =
            "only one of these applications leads: set election.redis.key-prefix to another"
                    + " value in each, or give them one spring.application.name if they are one application";

    private final Elections elections;
    private final ElectionWatch watch;
    private final Function<String, Duration> leaseOf;
    private final @Nullable StuckWork stuckWork;
    private final List<Impediments> impediments;
    private final NotYetCandidate.Source start;

    /**
     * Creates the indicator.
     *
     * @param elections whose health to tell
     * @param watch what has happened so far
     * @param leaseOf the lease of each election
     * @param stuckWork finds work that hangs, {@code null} not to look for any
     * @param impediments know what else is wrong with the work of a leader
     * @param start knows whether this node takes part yet
     */
    public LeaderHealthIndicator(
            Elections elections,
            ElectionWatch watch,
            Function<String, Duration> leaseOf,
            @Nullable StuckWork stuckWork,
            List<Impediments> impediments,
            NotYetCandidate.Source start) {
        this.elections = elections;
        this.watch = watch;
        this.leaseOf = leaseOf;
        this.stuckWork = stuckWork;
        this.impediments = List.copyOf(impediments);
        this.start = start;
    }

    @Override
    public Health health() {
        Health.Builder health = Health.up().withDetail("node", elections.node());
        start.get().ifPresent(pending -> health.withDetail("notYetCandidate", pending));
        for (Election election : elections.all()) {
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("role", election.role());
            election.leader().ifPresent(leader -> details.put("leader", leader.node()));
            boolean hasNoStore = hasNoStore(election, details);
            boolean hasStuckWork = hasStuckWork(election, details);
            boolean isImpeded = isImpeded(election, details);
            showOtherApplications(election, details);
            if (hasNoStore || hasStuckWork || isImpeded) {
                health.down();
            }
            health.withDetail(election.name(), details);
        }
        return health.build();
    }

    private boolean hasNoStore(Election election, Map<String, Object> details) {
        Incident incident = watch.of(election.name()).incident();
        if (incident == null) {
            return false;
        }
        details.put("problem", incident.problem());
        details.put("action", incident.action());
        details.put("detail", incident.detail());
        details.put("since", incident.at());
        return watch.incident(election.name())
                .filter(lasts -> lasts.compareTo(leaseOf.apply(election.name())) > 0)
                .isPresent();
    }

    /** Whether this node leads, and its work is not done all the same. */
    private boolean isImpeded(Election election, Map<String, Object> details) {
        if (!election.isLeader()) {
            return false;
        }
        boolean stopped = false;
        for (Impediments each : impediments) {
            for (Impediment found : each.of(election.name())) {
                stopped |= found.stopsWork();
                Map<String, Object> shown = new LinkedHashMap<>();
                shown.put("problem", found.problem());
                shown.put("action", found.action());
                shown.put("detail", found.detail());
                shown.put("since", found.since());
                details.put(found.what(), shown);
            }
        }
        return stopped;
    }

    /** Not down: this application may be the one whose work is done. */
    private void showOtherApplications(Election election, Map<String, Object> details) {
        Set<String> others = watch.of(election.name()).otherApplications();
        if (!others.isEmpty()) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("applications", new TreeSet<>(others));
            shown.put("action", OTHER_APPLICATIONS);
            details.put("sharedWith", shown);
        }
    }

    private boolean hasStuckWork(Election election, Map<String, Object> details) {
        Optional<Map<String, Object>> hung = Optional.ofNullable(stuckWork)
                .flatMap(work -> work.of(election))
                .map(oldest -> Map.of("call", oldest.what(), "running", ReadableDuration.of(oldest.age())));
        hung.ifPresent(call -> details.put("stuckWork", call));
        return hung.isPresent();
    }
}
