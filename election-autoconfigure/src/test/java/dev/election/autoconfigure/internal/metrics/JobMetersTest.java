package dev.election.autoconfigure.internal.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.jobs.JobRun;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What is counted of missed slots. */
class JobMetersTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void each_job_has_counters_of_its_own() {
        JobMeters observer = new JobMeters(() -> registry, () -> "shop", Set.of("orders"));
        observer.recovered("default", "a");
        observer.recovered("default", "a");
        observer.lost("default", "a", 3);
        observer.interrupted("default", "b");

        assertThat(count(JobMeters.RECOVERED, "a")).isEqualTo(2);
        assertThat(count(JobMeters.LOST, "a")).isEqualTo(3);
        assertThat(count(JobMeters.INTERRUPTED, "a")).isZero();
        assertThat(count(JobMeters.RECOVERED, "b")).isZero();
        assertThat(count(JobMeters.INTERRUPTED, "b")).isEqualTo(1);
    }

    @Test
    void the_counters_of_a_job_are_there_at_zero_when_it_is_known() {
        JobMeters meters = new JobMeters(() -> registry, () -> "shop", Set.of("orders"));
        meters.added("default", "a");
        for (String meter : List.of(JobMeters.RECOVERED, JobMeters.LOST, JobMeters.INTERRUPTED)) {
            assertThat(count(meter, "a")).isZero();
        }
        assertThat(registry.find(JobMeters.RUNS).timer()).isNull();
    }

    @Test
    void runs_are_timed_by_job_and_outcome() {
        JobMeters meters = new JobMeters(() -> registry, () -> "shop", Set.of("orders"));
        meters.ended(run("a", JobRun.Outcome.DONE, 2_000));
        meters.ended(run("a", JobRun.Outcome.DONE, 1_000));
        meters.ended(run("a", JobRun.Outcome.FAILED, -500));

        assertThat(timer("a", "done").count()).isEqualTo(2);
        assertThat(timer("a", "done").totalTime(TimeUnit.MILLISECONDS)).isEqualTo(3_000);
        assertThat(timer("a", "failed").count()).isEqualTo(1);
        assertThat(timer("a", "failed").totalTime(TimeUnit.MILLISECONDS)).isZero();
    }

    @Test
    void partitions_have_the_meters_of_their_group() {
        JobMeters meters = new JobMeters(() -> registry, () -> "shop", Set.of("orders"));
        meters.added("orders.0", "a");
        meters.added("orders.1", "a");
        meters.recovered("orders.0", "a");
        meters.recovered("orders.1", "a");
        meters.added("other.1", "a");
        assertThat(registry.find(JobMeters.RECOVERED).counters())
                .extracting(counter -> counter.getId().getTag("election") + " " + counter.count())
                .containsExactlyInAnyOrder("orders 2.0", "other.1 0.0");
    }

    private Timer timer(String job, String outcome) {
        return registry.get(JobMeters.RUNS)
                .tags("application", "shop", "election", "default", "scheduled_job", job, "outcome", outcome)
                .timer();
    }

    private static JobRun run(String job, JobRun.Outcome outcome, long millis) {
        Instant started = Instant.parse("2026-06-01T12:00:00Z");
        return new JobRun(
                "default",
                job,
                Optional.empty(),
                "node",
                new FencingToken(1),
                started,
                Optional.of(started.plusMillis(millis)),
                outcome,
                Optional.empty(),
                Optional.empty());
    }

    private double count(String meter, String job) {
        return registry.get(meter)
                .tags("application", "shop", "election", "default")
                .tag("scheduled_job", job)
                .counter()
                .count();
    }
}
