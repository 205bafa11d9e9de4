package dev.election.internal.steering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.Leader;
import dev.election.LeadershipRecord;
import dev.election.LossReason;
import dev.election.Steering;
import dev.election.internal.succession.Succession;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.Standing;
import dev.election.testing.PlainMember;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class HandOverTest {

    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final Duration MINUTE = Duration.ofMinutes(1);
    private static final Steering PREEMPTING = Steering.none().preempt(true);
    private static final Steering ROTATING = Steering.none().tenure(MINUTE, Duration.ofHours(2));

    @Test
    void a_leader_hands_over_to_a_better_candidate_after_its_wait() {
        HandOver due = due(PREEMPTING, 5, true).orElseThrow();
        assertThat(due.successor().id()).isEqualTo("other");
        assertThat(due.at()).isEqualTo(1000 + MINUTE.toNanos());
        assertThat(due.reason()).isEqualTo("other should lead (priority 5, joined as number 2)");
    }

    @Test
    void nobody_is_preempted_without_confirmation_or_a_better_candidate_or_if_nobody_has_asked_for_that() {
        assertThat(due(PREEMPTING, 5, false)).isEmpty();
        assertThat(due(PREEMPTING, 0, true)).isEmpty();
        assertThat(due(PREEMPTING, -1, true)).isEmpty();
        assertThat(due(Steering.none(), 5, true)).isEmpty();
    }

    @Test
    void at_the_end_of_the_maximum_tenure_a_worse_candidate_will_do() {
        HandOver due = due(ROTATING, -1, false).orElseThrow();
        assertThat(due.isPreemption()).isFalse();
        assertThat(due.at()).isEqualTo(1000 + Duration.ofHours(2).toNanos());
        assertThat(due(ROTATING.preempt(true), 5, true).orElseThrow().isPreemption())
                .as("which comes first")
                .isTrue();
    }

    @Test
    void the_wait_doubles_with_each_preemption_among_the_last_ten_leaderships_up_to_an_hour() {
        assertThat(waitAfter(history(0, 3), 0)).isEqualTo(MINUTE);
        assertThat(waitAfter(history(1, 3), 0)).isEqualTo(MINUTE.multipliedBy(2));
        assertThat(waitAfter(history(3, 3), 0)).isEqualTo(MINUTE.multipliedBy(8));
        assertThat(waitAfter(history(3, 3), 2)).as("two tries in vain").isEqualTo(MINUTE.multipliedBy(32));
        assertThat(waitAfter(history(10, 0), 40)).isEqualTo(Duration.ofHours(1));
        List<LeadershipRecord> older = new ArrayList<>(history(0, 10));
        older.addAll(history(5, 0));
        assertThat(waitAfter(older, 0)).isEqualTo(MINUTE);
    }

    @Test
    void what_an_operator_ordered_does_not_count_nor_does_the_leadership_that_lasts() {
        List<LeadershipRecord> history = List.of(past(null, null), past(LossReason.ABDICATED, "alice at n1"));
        assertThat(waitAfter(history, 0)).isEqualTo(MINUTE);
    }

    @Test
    void without_a_minimum_tenure_the_wait_begins_with_two_leases_and_a_longer_one_than_an_hour_stays() {
        Steering none = PREEMPTING.tenure(Duration.ZERO, null);
        assertThat(HandOver.waitAfter(history(0, 1), 0, none, LEASE)).isZero();
        assertThat(HandOver.waitAfter(history(1, 1), 0, none, LEASE)).isEqualTo(LEASE.multipliedBy(2));
        Steering day = PREEMPTING.tenure(Duration.ofDays(1), null);
        assertThat(HandOver.waitAfter(history(4, 1), 0, day, LEASE)).isEqualTo(Duration.ofDays(1));
    }

    private static Duration waitAfter(List<LeadershipRecord> history, int inVain) {
        return HandOver.waitAfter(history, inVain, PREEMPTING, LEASE);
    }

    private static List<LeadershipRecord> history(int preempted, int others) {
        List<LeadershipRecord> history = new ArrayList<>();
        for (int i = 0; i < preempted; i++) {
            history.add(past(LossReason.PREEMPTED, "other should lead (priority 5)"));
        }
        for (int i = 0; i < others; i++) {
            history.add(past(LossReason.STOPPED, null));
        }
        return history;
    }

    private static LeadershipRecord past(@Nullable LossReason reason, @Nullable String by) {
        return new LeadershipRecord(
                new Leader("n1", "n1:80", new FencingToken(1), Instant.EPOCH),
                reason == null ? null : Instant.EPOCH,
                reason,
                by);
    }

    private static Optional<HandOver> due(Steering steering, int priorityOfOther, boolean isConfirmed) {
        Succession order = Succession.of(
                "reports",
                List.of(
                        member("leader", 1, 0, MemberRole.LEADER),
                        member("other", 2, priorityOfOther, MemberRole.CANDIDATE)),
                steering);
        return HandOver.of(order, steering, "leader", 1000, isConfirmed, MINUTE);
    }

    private static Member member(String id, int order, int priority, MemberRole role) {
        return PlainMember.of(id, id, Map.of("reports", role), Optional.of(new Standing(priority, Map.of())), order);
    }
}
