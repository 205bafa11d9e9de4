package dev.election.internal.steering;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.engine.Clock;
import dev.election.internal.members.Drains;
import dev.election.internal.members.KnownMembers;
import dev.election.internal.members.RosterCopy;
import dev.election.members.Downtime;
import dev.election.members.Member;
import dev.election.members.MemberRole;
import dev.election.members.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what a process says of its health. The process is a candidate for the election 'orders'; the test tells it what it sees. */
class OwnHealthTest {

    private static final Instant EARLY = Instant.parse("2026-11-01T10:00:00Z");
    private static final Map<String, MemberRole> LEADS = Map.of("orders", MemberRole.LEADER);
    private static final Map<String, MemberRole> STANDS = Map.of("orders", MemberRole.CANDIDATE);

    private long nanos = 1_000;
    private Member own = member("own", STANDS, Optional.empty());
    private Optional<Downtime> downtime = Optional.empty();
    private Map<String, Instant> answered = Map.of();

    private final OwnHealth health = new OwnHealth(
            () -> own,
            (down, leaders) -> {
                downtime = down;
                answered = leaders;
            },
            new Clock() {
                @Override
                public long nanos() {
                    return nanos;
                }

                @Override
                public Instant wall() {
                    return EARLY;
                }
            });

    @Test
    void it_is_down_after_three_answers_in_a_row_and_up_after_as_many() {
        answer("db", "db", null, "db", "db");
        assertThat(downtime).isEmpty();
        answer("db");
        assertThat(downtime).contains(new Downtime("db", EARLY));
        answer(null, null, "db", null, null);
        assertThat(downtime).isPresent();
        answer((String) null);
        assertThat(downtime).isEmpty();
    }

    @Test
    void a_candidate_answers_a_leader_that_is_down() {
        look(down("leader", LEADS));
        answer((String) null);
        assertThat(answered).containsOnly(Map.entry("leader", EARLY));
    }

    @Test
    void nobody_else_is_answered() {
        look(
                down("candidate", STANDS),
                down("leader-of-another", Map.of("reports", MemberRole.LEADER)),
                member("leader-that-is-up", LEADS, Optional.empty()));
        answer((String) null);
        assertThat(answered).isEmpty();
        own = member("own", Map.of("orders", MemberRole.OBSERVER), Optional.empty());
        look(down("leader", LEADS));
        answer((String) null);
        assertThat(answered).as("by an observer").isEmpty();
    }

    @Test
    void it_does_not_answer_itself() {
        own = member("own", Map.of("orders", MemberRole.CANDIDATE), Optional.empty());
        // As the store may still tell it.
        look(down("own", LEADS));
        answer((String) null);
        assertThat(answered).isEmpty();
    }

    @Test
    void what_was_asked_before_it_had_learned_of_the_leader_is_no_answer() {
        long before = nanos;
        nanos += 1;
        look(down("leader", LEADS));
        health.answer(null, before);
        assertThat(answered).isEmpty();
        health.answer(null, nanos);
        assertThat(answered).containsOnlyKeys("leader");
        health.answer(null, before);
        assertThat(answered).as("an answer stays one").containsOnlyKeys("leader");
    }

    @Test
    void a_leader_that_is_down_once_more_is_answered_once_more() {
        look(down("leader", LEADS));
        answer((String) null);
        long before = nanos;
        nanos += 1;
        Instant again = EARLY.plusSeconds(60);
        look(member("leader", LEADS, Optional.of(new Downtime("db", again))));
        health.answer(null, before);
        assertThat(answered).isEmpty();
        health.answer(null, nanos);
        assertThat(answered).containsOnly(Map.entry("leader", again));
    }

    @Test
    void what_is_seen_again_was_learned_when_it_was_seen_first() {
        look(down("leader", LEADS));
        long first = nanos;
        nanos += Duration.ofSeconds(5).toNanos();
        look(down("leader", LEADS));
        health.answer(null, first);
        assertThat(answered).containsOnlyKeys("leader");
    }

    @Test
    void a_leader_that_is_gone_or_up_again_is_answered_no_more() {
        look(down("leader", LEADS));
        answer((String) null);
        look();
        answer((String) null);
        assertThat(answered).isEmpty();
    }

    @Test
    void at_most_eight_leaders_are_answered() {
        look(IntStream.range(0, 9).mapToObj(i -> down("leader-" + i, LEADS)).toArray(Member[]::new));
        answer((String) null);
        assertThat(answered).hasSize(8);
    }

    @Test
    void an_answer_that_it_is_down_takes_all_back() {
        look(down("leader", LEADS));
        answer((String) null);
        answer("db");
        assertThat(answered).isEmpty();
        assertThat(downtime).as("after one answer").isEmpty();
    }

    @Test
    void another_instance_has_said_nothing() {
        look(down("leader", LEADS));
        answer("db", "db", "db");
        answer((String) null);
        health.start();
        assertThat(downtime).isEmpty();
        assertThat(answered).isEmpty();
        answer((String) null);
        assertThat(answered).as("what the former one has seen").isEmpty();
    }

    @Test
    void another_instance_counts_anew() {
        answer("db", "db");
        health.start();
        answer("db");
        assertThat(downtime).isEmpty();
    }

    private void look(Member... members) {
        health.look(new KnownMembers(
                Stream.of(members)
                        .map(member -> new RosterCopy.Known(member, 1))
                        .toList(),
                List.of(),
                Drains.NONE,
                nanos,
                true));
    }

    private void answer(String... problems) {
        for (String problem : problems) {
            health.answer(problem, nanos);
        }
    }

    private static Member down(String instance, Map<String, MemberRole> roles) {
        return member(instance, roles, Optional.of(new Downtime("db", EARLY)));
    }

    private static Member member(String instance, Map<String, MemberRole> roles, Optional<Downtime> downtime) {
        return new Member(
                instance,
                instance,
                "shop",
                "",
                "",
                EARLY,
                "",
                "",
                Duration.ofSeconds(15),
                Map.of(),
                Map.of(),
                roles,
                Optional.of(new Standing(0, Map.of()).ofHealth(downtime, Map.of())),
                1);
    }
}
