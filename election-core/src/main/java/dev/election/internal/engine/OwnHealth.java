package dev.election.internal.engine;

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
 * What this process says of its health: down after three answers in a row that said so, and up after as many. A leader that is down is answered: the
 * first answer up that was asked for after this process had learned of it says that this process is up despite that. On the loop.
 */
final class OwnHealth {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    private static final int IN_A_ROW = 3;

    /** Each takes about 60 bytes of what a member may say. */
    private static final int MOST_ANSWERED = 8;

    private final Supplier<Member> own;
    private final BiConsumer<Optional<Downtime>, Map<String, Instant>> report;
    private final Clock clock;
    private Optional<Downtime> downtime = Optional.empty();
    private Map<String, Instant> answered = Map.of();

    /** How many answers in a row said the contrary of the present state. */
    private int contrary;

    /** The leaders that are down, by instance, with when this process learned of it. */
    private Map<String, Seen> down = Map.of();

    private record Seen(Instant since, long at) {}

    /**
     * Creates it.
     *
     * @param own this process as a member
     * @param report takes what it says: why and since when it is down, and to which leaders it is up despite that
     */
    OwnHealth(Supplier<Member> own, BiConsumer<Optional<Downtime>, Map<String, Instant>> report, Clock clock) {
        this.own = own;
        this.report = report;
        this.clock = clock;
    }

    /** Before the elections start: the process is another instance. */
    void start() {
        downtime = Optional.empty();
        answered = Map.of();
        down = Map.of();
        contrary = 0;
        report.accept(downtime, answered);
    }

    /** The copy of the members may have changed. */
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
     * An answer to the question for the health of this process.
     *
     * @param problem what is down, {@code null} if it is up
     * @param askedAt when it was asked, on the monotonic clock
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
            // As the others read it.
            downtime = Optional.of(
                    new Downtime(problem, Instant.ofEpochMilli(clock.wall().toEpochMilli())));
            log.warn("This node is down ({}): others should lead", problem);
        }
    }
}
