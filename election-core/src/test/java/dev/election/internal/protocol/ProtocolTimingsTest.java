package dev.election.internal.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Timing;
import dev.election.store.StoreTraits;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ProtocolTimingsTest {

    @ParameterizedTest
    @ValueSource(strings = {"PT3S", "PT15S", "PT15H", "P1D"})
    void an_attempt_is_waited_for_a_third_of_a_lease_after_however_many_failures(Duration lease) {
        ProtocolTimings timings = ProtocolTimings.of(Timing.ofLease(lease), StoreTraits.ofServer("Redis", "prefix"));
        assertThat(timings.patienceAfter(0, 0)).isEqualTo(lease.toNanos() / 6);
        for (int failures = 1; failures < 200; failures++) {
            assertThat(timings.patienceAfter(failures, 0))
                    .as("after %d failures", failures)
                    .isEqualTo(lease.toNanos() / 3);
        }
    }
}
