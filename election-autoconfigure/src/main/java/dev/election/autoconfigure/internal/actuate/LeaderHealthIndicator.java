package dev.election.autoconfigure.internal.actuate;

import dev.election.Election;
import dev.election.Elections;
import dev.election.autoconfigure.internal.actuate.elections.GroupView;
import dev.election.autoconfigure.internal.actuate.members.DrainView;
import dev.election.autoconfigure.internal.watch.Impediment;
import dev.election.autoconfigure.internal.watch.Incident;
import dev.election.autoconfigure.internal.watch.LeaderHealth;
import dev.election.autoconfigure.internal.watch.NodeMemory;
import dev.election.autoconfigure.internal.watch.PresentRecovery;
import dev.election.autoconfigure.internal.watch.StuckWork;
import dev.election.members.Successor;
import dev.election.partitions.PartitionGroup;
import dev.election.support.ReadableDuration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
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
    private final NodeMemory memory;
    private final @Nullable StuckWork stuckWork;

    /**
     * Creates it.
     *
     * @param elections the elections to report
     * @param memory what this node knows of them
     * @param stuckWork finds stuck work, {@code null} not to check for it
     */
    public LeaderHealthIndicator(Elections elections, NodeMemory memory, @Nullable StuckWork stuckWork) {
        this.elections = elections;
        this.memory = memory;
        this.stuckWork = stuckWork;
    }

    @Override
    public Health health() {
        Health.Builder health = Health.up().withDetail("node", elections.node());
        memory.start().get().ifPresent(pending -> health.withDetail("notYetCandidate", pending));
        memory.members()
                .get()
                .flatMap(present -> present.own().drain())
                .ifPresent(drain -> health.withDetail("drained", DrainView.of(drain)));
        memory.members()
                .get()
                .flatMap(present -> present.own().downtime())
                .ifPresent(downtime -> health.withDetail("othersShouldLead", downtime));
        memory.single(elections).forEach(election -> health.withDetail(election.name(), look(election, health)));
        memory.groups().get().forEach(group -> health.withDetail(group.name(), look(group, health)));
        return health.build();
    }

    /** The numbers of a group, and of its partitions the first one with each kind of problem: an outage of the store is one of all. */
    private Map<String, Object> look(PartitionGroup group, Health.Builder health) {
        GroupView view = GroupView.of(group, memory);
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("partitions", view.count());
        details.put("leads", group.held().size());
        details.put("withoutLeader", view.withoutLeader().size());
        Optional.ofNullable(view.finding()).ifPresent(finding -> {
            details.put("problem", finding.problem());
            details.put("action", finding.action());
        });
        Set<Set<String>> kinds = new HashSet<>();
        for (int index = 0; index < group.count(); index++) {
            Election election = group.election(index);
            Map<String, Object> problems = look(election, health);
            problems.keySet().removeAll(Set.of("role", "leader"));
            if (!view.withoutLeader().contains(index)) {
                problems.remove("succession");
            }
            if (!problems.isEmpty() && kinds.add(Set.copyOf(problems.keySet()))) {
                details.put(election.name(), problems);
            }
        }
        return details;
    }

    private Map<String, Object> look(Election election, Health.Builder health) {
        Map<String, Object> details = new LinkedHashMap<>();
        details.put("role", election.role());
        election.leader().ifPresent(leader -> details.put("leader", leader.node()));
        memory.members()
                .get()
                .flatMap(present -> present.waitsFor(election.name()))
                .ifPresent(members -> details.put("members", members));
        PresentRecovery recovery = memory.watch().of(election.name()).recovery();
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
        return details;
    }

    @Override
    public boolean isUp() {
        return Status.UP.equals(health().getStatus());
    }

    private boolean hasNoStore(Election election, Map<String, Object> details) {
        Incident incident = memory.watch().of(election.name()).incident();
        if (incident == null) {
            return false;
        }
        details.put("store", memory.store());
        details.put("problem", incident.problem());
        details.put("action", incident.action());
        details.put("detail", incident.detail());
        details.put("since", incident.at());
        return memory.watch()
                .incident(election.name())
                .filter(lasts -> lasts.compareTo(memory.watch().lease(election.name())) > 0)
                .isPresent();
    }

    /** Whether this node leads but some of its work is not done. */
    private boolean isImpeded(Election election, Map<String, Object> details) {
        boolean stopped = false;
        for (Impediment found : memory.impeding(election)) {
            stopped |= found.stopsWork();
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("problem", found.problem());
            shown.put("action", found.action());
            shown.put("detail", found.detail());
            shown.put("since", found.since());
            details.put(found.what(), shown);
        }
        return stopped;
    }

    /** Shown only, without an effect on the status: this application may be the one that leads. */
    private void showOtherApplications(Election election, Map<String, Object> details) {
        Set<String> others = memory.watch().of(election.name()).otherApplications();
        if (!others.isEmpty()) {
            Map<String, Object> shown = new LinkedHashMap<>();
            shown.put("applications", new TreeSet<>(others));
            shown.put("action", OTHER_APPLICATIONS);
            details.put("sharedWith", shown);
        }
    }

    /** Shown only, without an effect on the status: somebody has ordered it. */
    private void showThatNobodyMayLead(Election election, Map<String, Object> details) {
        List<Successor> succession = memory.members()
                .get()
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
