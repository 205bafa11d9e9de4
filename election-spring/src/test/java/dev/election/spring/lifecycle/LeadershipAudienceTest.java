package dev.election.spring.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.LeadershipEvent;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Who listens to leadership; further cases are in the tests of the auto-configuration. */
class LeadershipAudienceTest {

    @Test
    void all_events_are_known() {
        assertThat(Set.copyOf(LeadershipAudience.EVENTS))
                .isEqualTo(Set.of(LeadershipEvent.class.getPermittedSubclasses()));
    }
}
