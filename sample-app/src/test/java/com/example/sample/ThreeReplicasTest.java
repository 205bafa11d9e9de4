package com.example.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.sample.testing.Console;
import com.example.sample.testing.ThreeReplicas;
import com.example.sample.testing.ThreeReplicas.Leadership;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Three processes and what may befall them. What one test begins goes on in the next: all reports count until the end. */
class ThreeReplicasTest {

    /** No pause of the machine ends it. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    /** Generous, where it does not matter how long it takes. */
    private static final Duration SOON = Duration.ofSeconds(20);

    private static final String BEGINS = " of this replica begins";
    private static final String DONE = " of this replica is done";
    private static final String LOST = "This node lost the leadership of 'default'";

    /** Between two reports there is time to stop a process also if the machine pauses. */
    @RegisterExtension
    static final ThreeReplicas replicas =
            new ThreeReplicas("election.lease=5s", "sample.report-every=2500ms", "sample.report-takes=400ms");

    @AfterEach
    void at_any_time_one_replica_reported_and_tokens_never_fell() {
        replicas.reports().assertThatOneReplicaWroteThemAtATime();
    }

    @Tag("kills-processes")
    @Test
    void of_three_replicas_one_reports_again_and_again_and_the_others_do_not() {
        Leadership leader = replicas.leader();
        Console.Line begun = leader.replica().console().awaitNext(BEGINS, SOON);

        for (int report = 0; report < 2; report++) {
            begun = leader.replica().console().awaitAfter(begun, BEGINS, SOON);
        }

        assertThat(begun.token()).isEqualTo(leader.token());
        assertThat(replicas.others(leader.replica())).hasSize(2).allSatisfy(other -> assertThat(
                        other.console().all("fencing token " + leader.token()))
                .isEmpty());
    }

    @Test
    void a_killed_leader_is_replaced_within_a_lease_and_a_half() {
        Leadership killed = replicas.leader();

        Instant moment = Instant.now();
        killed.replica().kill();

        Leadership next = replicas.awaitLeaderAfter(killed, SOON);
        assertThat(next.line().loggedAt())
                .isBefore(moment.plus(LEASE.multipliedBy(3).dividedBy(2)));
        next.replica().console().awaitAfter(next.line(), BEGINS, SOON);
    }

    @Tag("kills-processes")
    @Test
    void a_leader_that_is_asked_to_end_finishes_its_report_begins_no_other_and_only_then_hands_over() {
        Leadership leaving = replicas.leader();
        Console console = leaving.replica().console();
        Console.Line halfDone = console.awaitNext(BEGINS, SOON);

        leaving.replica().terminate();

        Console.Line done = console.awaitAfter(halfDone, DONE, SOON);
        assertThat(leaving.replica().awaitEnd(SOON)).isTrue();
        console.awaitEnd(SOON);
        assertThat(console.allAfter(halfDone, BEGINS)).isEmpty();
        assertThat(console.allAfter(halfDone, LOST + " (STOPPED)")).hasSize(1);
        Leadership next = replicas.awaitLeaderAfter(leaving, SOON);
        assertThat(next.line().loggedAt())
                .as("after the report, and long before the lease would have ended")
                .isAfterOrEqualTo(done.loggedAt())
                .isBefore(done.loggedAt().plus(LEASE.dividedBy(2)));
        next.replica().console().awaitAfter(next.line(), BEGINS, SOON);
    }

    @Tag("kills-processes")
    @Test
    void a_leader_that_was_frozen_for_longer_than_its_lease_reports_nothing_more_and_tells_its_loss() {
        Leadership frozen = replicas.leader();
        Console console = frozen.replica().console();
        Console.Line last = console.awaitNext(DONE, SOON);

        frozen.replica().freeze();
        Leadership next = replicas.awaitLeaderAfter(frozen, SOON);
        Console.Line report = next.replica().console().awaitAfter(next.line(), DONE, SOON);
        frozen.replica().thaw();

        Console.Line lost = console.awaitAfter(last, LOST, SOON);
        assertThat(lost.token()).isEqualTo(frozen.token());
        // Two rounds in which its job has fired again.
        Console.Line later = next.replica().console().awaitAfter(report, DONE, SOON);
        next.replica().console().awaitAfter(later, DONE, SOON);
        assertThat(console.allAfter(last, " of this replica ")).isEmpty();
    }

    @Tag("kills-processes")
    @Test
    void when_Redis_has_died_and_started_again_empty_one_leads_again_and_nobody_has_to_be_restarted() {
        Leadership before = replicas.leader();
        Console console = before.replica().console();
        Console.Line last = console.awaitNext(DONE, SOON);

        replicas.killRedis();
        Console.Line lost = console.awaitAfter(last, LOST, SOON);
        replicas.startEmptyRedis();

        Leadership after = replicas.awaitLeaderAfter(before, SOON);
        assertThat(after.line().loggedAt()).isAfter(lost.loggedAt());
        after.replica().console().awaitAfter(after.line(), DONE, SOON);
        assertThat(replicas.others(after.replica())).hasSize(2);
    }
}
