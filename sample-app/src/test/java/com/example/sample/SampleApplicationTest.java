package com.example.sample;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.sample.testing.Console;
import com.example.sample.testing.SampleMachine;
import com.example.sample.testing.SampleProcess;
import dev.election.harness.RedisProcess;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Replicas of the sample as a user runs them, each a process. */
@Tag("kills-processes")
class SampleApplicationTest {

    /** No pause of the machine ends it. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    private static final String SHORT_LEASE = "election.lease=5s";
    private static final String LOST = "This node lost the leadership of 'default' (STOPPED)";

    @RegisterExtension
    final SampleMachine machine = new SampleMachine();

    @Test
    void a_replica_alone_leads_soon_after_its_start_and_writes_reports() {
        SampleProcess replica = machine.start();

        Console.Line leads = replica.awaitLeadership(Duration.ofSeconds(60));

        Console.Line report = replica.console().await("Report 1 ", Duration.ofSeconds(5));
        assertThat(report.token()).isEqualTo(leads.token());
        replica.console().await("Reminding the readers of partition 11 of 12", Duration.ofSeconds(30));
    }

    @Test
    void a_killed_leader_is_replaced_within_a_lease_and_a_half() {
        try (RedisProcess redis = machine.startForeignRedis()) {
            SampleProcess leader = machine.start(SHORT_LEASE);
            Console.Line led = leader.awaitLeadershipFromNow(Duration.ofSeconds(60));
            SampleProcess follower = machine.start(SHORT_LEASE, "sample.report-every=200ms");
            follower.awaitFollowing();

            Instant killed = Instant.now();
            leader.kill();

            Console.Line leads = follower.awaitLeadershipFromNow(LEASE.plusSeconds(5));
            assertThat(leads.loggedAt())
                    .isBefore(killed.plus(LEASE.multipliedBy(3).dividedBy(2)));
            assertThat(leads.token()).isGreaterThan(led.token());
            Console.Line report = follower.console().await("Report 1 ", Duration.ofSeconds(5));
            assertThat(report.token()).isEqualTo(leads.token());
        }
    }

    @Test
    void of_two_replicas_that_start_at_once_one_leads_and_hands_over_within_a_second_when_asked_to_end() {
        try (RedisProcess redis = machine.startForeignRedis()) {
            Replicas replicas = Replicas.of(machine.start(), machine.start());
            replicas.follower().awaitFollowing();
            assertThat(replicas.follower().console().all("Report")).isEmpty();

            replicas.leader().terminate();

            Console.Line leads = replicas.follower().awaitLeadershipFromNow(Duration.ofSeconds(5));
            assertThat(replicas.leader().awaitEnd(Duration.ofSeconds(10))).isTrue();
            replicas.leader().console().awaitEnd(Duration.ofSeconds(10));
            assertThat(replicas.leader().console().all(LOST)).singleElement().satisfies(lost -> assertThat(
                            leads.loggedAt())
                    .isBefore(lost.loggedAt().plusSeconds(1)));
        }
    }

    @Test
    void prepared_ahead_of_time_it_leads_and_writes_reports_just_so() {
        SampleProcess replica = machine.startPrepared();

        Console.Line leads = replica.awaitLeadership(Duration.ofSeconds(60));

        assertThat(replica.console().all("Starting AOT-processed SampleApplication"))
                .hasSize(1);
        Console.Line report = replica.console().await("Report 1 ", Duration.ofSeconds(5));
        assertThat(report.token()).isEqualTo(leads.token());
    }

    @Test
    void no_thread_keeps_the_process_alive_when_the_context_of_a_leader_has_been_closed() {
        try (RedisProcess redis = machine.startForeignRedis()) {
            SampleProcess replica = machine.startShortLived();
            replica.awaitLeadership(Duration.ofSeconds(60));

            replica.console().await("Closed", Duration.ofSeconds(5));

            assertThat(replica.awaitEnd(Duration.ofSeconds(5))).isTrue();
        }
    }

    private record Replicas(SampleProcess leader, SampleProcess follower) {

        /** Which of the two leads, once one does. */
        static Replicas of(SampleProcess one, SampleProcess other) {
            return one.awaitResult() ? new Replicas(one, other) : new Replicas(other, one);
        }
    }
}
