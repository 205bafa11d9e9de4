package dev.election.autoconfigure.internal.actuate;

import dev.election.Election;
import dev.election.Elections;
import dev.election.autoconfigure.internal.actuate.members.DrainView;
import dev.election.autoconfigure.internal.watch.ElectionWatch;
import dev.election.autoconfigure.internal.watch.Impediment;
import dev.election.autoconfigure.internal.watch.Impediments;
import dev.election.autoconfigure.internal.watch.Incident;
import dev.election.autoconfigure.internal.watch.LeaderHealth;
import dev.election.autoconfigure.internal.watch.NotYetCandidate;
import dev.election.autoconfigure.internal.watch.PresentRecovery;
import dev.election.autoconfigure.internal.watch.StuckWork;
import dev.election.members.Members;
import dev.election.members.Successor;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * The health of the elections. Whether this node leads does not matter: a follower or an observer is up like a leader. Down only if the store
 * has given no usable reply for longer than a lease, if {@code election.health.stuck-work-after} is set and a guarded call of this leader has run for
 * longer, or if other work of this leader is not done.
 */
public final class LeaderHealthIndicator implements HealthIndicator, LeaderHealth {

    private static final String OTHER_APPLICATIONS =
            "only one of these applications leads: set a different election.redis.key-prefix in"
                    + " each, or the same spring.application.name if they are one application";

    private static final String ALL_DRAINED =
            "nobody may lead: all members that take part are drained or cooling down. Set a drained one to active";

    private final Elections elections;
    private final String store;
    private final ElectionWatch watch;
    private final Function<String, Duration> leaseOf;
    private final @Nullable StuckWork stuckWork;
    private final List<Impediments> impediments;
    private final NotYetCandidate.Source start;
    private final Supplier<Optional<Members>> members;

    /**
     * Creates the indicator.
     *
     * @param elections the elections of this node
     * @param store where they are kept
     * @param watch their status
     * @param leaseOf the lease of each election
     * @param stuckWork finds stuck work, {@code null} not to check for it
     * @param impediments report other failures of leader work
     * @param start tells whether this node takes part yet
     * @param members if this process uses them
     */
    public LeaderHealthIndicator(
            Elections elections,
            String store,
            ElectionWatch watch,
            Function<String, Duration> leaseOf,
            @Nullable StuckWork stuckWork,
            List<Impediments> impediments,
            NotYetCandidate.Source start,
            Supplier<Optional<Members>> members) {
        this.elections = elections;
        this.store = store;
        this.watch = watch;
        this.leaseOf = leaseOf;
        this.stuckWork = stuckWork;
        this.impediments = List.copyOf(impediments);
        this.start = start;
        this.members = members;
    }

    @Override
    public Health health() {
        Health.Builder health = Health.up().withDetail("node", elections.node());
        start.get().ifPresent(pending -> health.withDetail("notYetCandidate", pending));
        members.get()
                .flatMap(present -> present.own().drain())
                .ifPresent(drain -> health.withDetail("drained", DrainView.of(drain)));
        members.get()
                .flatMap(present -> present.own().downtime())
                .ifPresent(downtime -> health.withDetail("othersShouldLead", downtime));
        for (Election election : elections.all()) {
            Map<String, Object> details = new LinkedHashMap<>();
            details.put("role", election.role());
            election.leader().ifPresent(leader -> details.put("leader", leader.node()));
            PresentRecovery recovery = watch.of(election.name()).recovery();
            if (recovery != null) {
                details.put("recovery", recovery);
            }
            boolean hasNoStore = hasNoStore(election, details);
            boolean hasStuckWork = hasStuckWork(election, details);
            boolean isImpeded = isImpeded(election, details);
            showOtherApplications(election, details);
            showThatNobodyMayLead(election, details);
            if (hasNoStore || hasStuckWork || isImpeded) {
                health.down();
            }
            health.withDetail(election.name(), details);
        }
        return health.build();
    }

    @Override
    public boolean isUp() {
        return Status.UP.equals(health().getStatus());
    }

    private boolean hasNoStore(Election election, Map<String, Object> details) {
        Incident incident = watch.of(election.name()).incident();
        if (incident == null) {
            return false;
        }
        details.put("store", store);
        details.put("problem", incident.problem());
        details.put("action", incident.action());
        details.put("detail", incident.detail());
        details.put("since", incident.at());
        return watch.incident(election.name())
                .filter(lasts -> lasts.compareTo(leaseOf.apply(election.name())) > 0)
                .isPresent();
    }

    /** Whether this node leads but some of its work is not done. */
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

    /** Shown only, without an effect on the status: this application may be the one that leads. */
    private void showOtherApplications(Election election, Map<String, Object> details) {
        Set<String> others = watch.of(election.name()).otherApplications();
        if (!others.isEmpty()) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("applications", new TreeSet<>(others));
            shown.put("action", OTHER_APPLICATIONS);
            details.put("sharedWith", shown);
        }
    }

    /** Shown only, without an effect on the status: somebody has ordered it. */
    private void showThatNobodyMayLead(Election election, Map<String, Object> details) {
        List<Successor> succession = members.get()
                .map(present -> present.succession(election.name()))
                .orElse(List.of());
        if (!succession.isEmpty() && succession.stream().noneMatch(Successor::isEligible)) {
            details.put("succession", ALL_DRAINED);
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
