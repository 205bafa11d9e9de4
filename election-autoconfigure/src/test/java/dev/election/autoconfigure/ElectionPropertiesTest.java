package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.AssignedRole;
import dev.election.Election;
import dev.election.Timing;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

class ElectionPropertiesTest {

    @Test
    void nothing_set_means_the_defaults() {
        ElectionProperties properties = bind(Map.of());
        assertThat(properties.timing()).isEqualTo(Timing.defaults());
        assertThat(properties.timings()).isEmpty();
    }

    @Test
    void the_renew_interval_is_a_third_of_the_lease() {
        assertThat(bind(Map.of("election.lease", "9s")).timing().renewEvery()).hasSeconds(3);
    }

    @Test
    void a_single_election_overrides_what_it_names_and_keeps_the_rest() {
        ElectionProperties properties = bind(Map.of(
                "election.lease", "30s",
                "election.shutdown.await", "5s",
                "election.elections.quick.lease", "3s",
                "election.elections.patient.drain", "2m"));
        assertThat(properties.timings())
                .containsOnlyKeys("quick", "patient")
                .containsEntry("quick", timing(3, 1, 5))
                .containsEntry("patient", timing(30, 10, 120));
    }

    @Test
    void an_election_without_a_role_of_its_own_has_the_common_one() {
        assertThat(bind(Map.of()).role()).isEqualTo(AssignedRole.CANDIDATE);
        assertThat(bind(Map.of(
                                "election.role", "observer",
                                "election.elections.quick.lease", "3s",
                                "election.elections.own.role", "candidate"))
                        .roles())
                .containsOnly(Map.entry("quick", AssignedRole.OBSERVER), Map.entry("own", AssignedRole.CANDIDATE));
    }

    @Test
    void a_name_with_other_characters_is_written_in_brackets() {
        assertThat(bind(Map.of("election.elections.[nightly_jobs:eu.west].lease", "3s"))
                        .timings())
                .containsOnlyKeys("nightly_jobs:eu.west");
    }

    @Test
    void the_store_goes_by_the_shortest_lease() {
        ElectionProperties properties =
                bind(Map.of("election.elections.quick.lease", "3s", "election.elections.slow.lease", "60s"));
        assertThat(properties.shortestLease()).hasSeconds(3);
    }

    @Test
    void to_wait_for_ever_is_to_wait_for_the_longest_time() {
        String forEver = "PT2562047788015215H";
        ElectionProperties properties =
                bind(Map.of("election.shutdown.await", forEver, "election.elections.patient.drain", forEver));
        assertThat(properties.shutdown().await()).isEqualTo(Election.LONGEST_WAIT);
        assertThat(properties.timing().drain()).isEqualTo(Election.LONGEST_WAIT);
        assertThat(properties.timings().get("patient").drain()).isEqualTo(Election.LONGEST_WAIT);
    }

    private static Timing timing(int lease, int renewEvery, int drain) {
        return new Timing(Duration.ofSeconds(lease), Duration.ofSeconds(renewEvery), Duration.ofSeconds(drain));
    }

    private static ElectionProperties bind(Map<String, String> properties) {
        return new Binder(new MapConfigurationPropertySource(properties))
                .bindOrCreate("election", ElectionProperties.class);
    }
}
