package dev.election.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.DisplayNameGeneration;
import org.junit.jupiter.api.DisplayNameGenerator.ReplaceUnderscores;
import org.junit.jupiter.api.Test;

/** What is counted of missed slots. */
@DisplayNameGeneration(ReplaceUnderscores.class)
class JobMetersTest {

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @Test
    void each_job_has_counters_of_its_own() {
        JobMeters observer = new JobMeters(() -> registry);
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

    private double count(String meter, String job) {
        return registry.get(meter)
                .tag("election", "default")
                .tag("job", job)
                .counter()
                .count();
    }
}
