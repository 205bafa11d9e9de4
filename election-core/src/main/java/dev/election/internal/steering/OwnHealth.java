package dev.election.internal.steering;

import dev.election.engine.Clock;
import dev.election.internal.members.KnownMembers;
import dev.election.members.Downtime;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The health of this process for other members: down after three checks in a row that found it down, and up after as many. This process also names
 * each leader that is down although a check, begun after this process had learned of that downtime, found this process up. Used on the loop only.
 */
final class OwnHealth {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private static final int IN_A_ROW = 3;

    /** Most leaders that are named: each takes about 60 bytes of the description of a member. */
    private static final int MOST_ANSWERED = 8;

    private final Supplier<Member> own;
    private final BiConsumer<Optional<Downtime>, Map<String, Instant>> report;
    private final Clock clock;
    private Optional<Downtime> downtime = Optional.empty();
    private Map<String, Instant> answered = Map.of();

    /** Checks in a row that found the opposite of the present state. */
    private int contrary;

    /** The leaders that are down, by instance. */
    private Map<String, Seen> down = Map.of();

    /** @param at when this process learned of the downtime */
    private record Seen(Instant since, long at) {}

    /**
     * Creates the health of a process that is up.
     *
     * @param own the description of this process
     * @param report takes the downtime of this process, and the beginnings of the downtimes of leaders despite which this process is up
     */
    OwnHealth(Supplier<Member> own, BiConsumer<Optional<Downtime>, Map<String, Instant>> report, Clock clock) {
        this.own = own;
        this.report = report;
        this.clock = clock;
    }

    /** Begins anew for another instance. Called before the elections start. */
    void start() {
        downtime = Optional.empty();
        answered = Map.of();
        down = Map.of();
        contrary = 0;
        report.accept(downtime, answered);
    }

    /** Looks for leaders that are down. Called when the members may have changed. */
    void look(KnownMembers known) {
        Map<String, Seen> present = new HashMap<>();
        Member self = own.get();
        for (Member member : known.all()) {
            Optional<Downtime> other = member.downtime();
            if (other.isPresent() && present.size() < MOST_ANSWERED && leadsBefore(member, self)) {
                Seen seen = down.get(member.instance());
                Instant since = other.get().since();
                present.put(
                        member.instance(),
                        seen != null && seen.since().equals(since) ? seen : new Seen(since, clock.nanos()));
            }
        }
        down = present;
    }

    /** Whether that member leads an election in which this process is a candidate. */
    private static boolean leadsBefore(Member member, Member self) {
        return !member.instance().equals(self.instance())
                && member.roles().entrySet().stream()
                        .anyMatch(role -> role.getValue() == MemberRole.LEADER
                                && self.roles().get(role.getKey()) == MemberRole.CANDIDATE);
    }

    /**
     * Takes the result of a check.
     *
     * @param problem what is down, {@code null} if this process is up
     * @param askedAt when the check began, on the monotonic clock
     */
    void answer(@Nullable String problem, long askedAt) {
        boolean isContrary = (problem != null) != downtime.isPresent();
        contrary = isContrary ? contrary + 1 : 0;
        if (contrary >= IN_A_ROW) {
            contrary = 0;
            turn(problem);
        }
        if (problem == null) {
            answered = down.entrySet().stream()
                    .filter(leader -> leader.getValue().at() - askedAt <= 0 || isAnswered(leader))
                    .collect(Collectors.toUnmodifiableMap(
                            Map.Entry::getKey, leader -> leader.getValue().since()));
        } else {
            answered = Map.of();
        }
        report.accept(downtime, answered);
    }

    private boolean isAnswered(Map.Entry<String, Seen> leader) {
        return leader.getValue().since().equals(answered.get(leader.getKey()));
    }

    private void turn(@Nullable String problem) {
        if (problem == null) {
            downtime = Optional.empty();
            log.info("This node is up again: it comes before nodes that are down");
        } else {
            // In milliseconds, as other members read it.
            downtime = Optional.of(
                    new Downtime(problem, Instant.ofEpochMilli(clock.wall().toEpochMilli())));
            log.warn("This node is down ({}): others should lead", problem);
        }
    }
}
