package dev.election.jdbc.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.autoconfigure.checks.Finding;
import dev.election.jdbc.JdbcVitals;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

class JdbcCheckTest {

    private static final Duration LEASE = Duration.ofSeconds(15);

    private static final JdbcVitals HEALTHY = new JdbcVitals(
            "PostgreSQL 15", Duration.ofMillis(1), Duration.ofMillis(3), true, true, "", false, List.of());

    @Test
    void nothing_is_said_of_a_healthy_database() {
        assertThat(findings(HEALTHY, false)).isEmpty();
    }

    @Test
    void each_problem_is_told_with_what_to_do() {
        JdbcVitals sick = new JdbcVitals(
                "PostgreSQL 15",
                Duration.ofSeconds(1),
                Duration.ofSeconds(-60),
                false,
                false,
                "synchronous_commit=off",
                true,
                List.of("update", "delete"));
        assertThat(findings(sick, true))
                .extracting(Finding::problem)
                .satisfiesExactly(
                        readOnly -> assertThat(readOnly).contains("takes no writes"),
                        refused -> assertThat(refused).contains("may not update, delete"),
                        incarnation -> assertThat(incarnation).contains("does not identify its process"),
                        commits -> assertThat(commits).contains("synchronous_commit=off"),
                        pooler -> assertThat(pooler)
                                .contains(
                                        "A connection pooler",
                                        "election.jdbc.table names no schema",
                                        "synchronous_commit"),
                        pool -> assertThat(pool).contains("of the application's DataSource"),
                        slow -> assertThat(slow).contains("takes 1000 ms"),
                        clock -> assertThat(clock).contains("60 s behind"));
        assertThat(findings(sick, true)).extracting(Finding::action).noneMatch(String::isBlank);
    }

    @Test
    void a_pool_needs_two_connections_and_three_to_listen() {
        assertThat(findings(HEALTHY, false, false, 2)).isEmpty();
        assertThat(findings(HEALTHY, false, false, 1))
                .singleElement()
                .extracting(Finding::problem)
                .asString()
                .contains("up to two connections", "a maximum of 1");
        assertThat(findings(HEALTHY, false, true, 3)).isEmpty();
        assertThat(findings(HEALTHY, false, true, 2))
                .singleElement()
                .extracting(Finding::problem)
                .asString()
                .contains("up to three connections", "a maximum of 2");
        assertThat(findings(HEALTHY, true, true, 10))
                .singleElement()
                .extracting(Finding::action)
                .asString()
                .contains("three connections");
    }

    @Test
    void a_pooler_is_no_problem_where_the_schema_is_set() {
        JdbcVitals pooled =
                new JdbcVitals("PostgreSQL 15", Duration.ofMillis(1), Duration.ZERO, true, true, "", true, List.of());
        assertThat(findings(pooled, false, false, false, 10))
                .singleElement()
                .extracting(Finding::action)
                .asString()
                .contains("election.jdbc.table", "election.jdbc.data-source");
        assertThat(findings(pooled, true, false, false, 10)).isEmpty();
    }

    private static List<Finding> findings(JdbcVitals seen, boolean sharesPool) {
        return findings(seen, sharesPool, false, 10);
    }

    private static List<Finding> findings(JdbcVitals seen, boolean sharesPool, boolean listens, int poolMaximum) {
        return findings(seen, false, sharesPool, listens, poolMaximum);
    }

    private static List<Finding> findings(
            JdbcVitals seen, boolean namesSchema, boolean sharesPool, boolean listens, int poolMaximum) {
        return new JdbcCheck(
                        () -> CompletableFuture.completedFuture(seen),
                        LEASE,
                        namesSchema,
                        sharesPool,
                        listens,
                        () -> OptionalInt.of(poolMaximum))
                .look()
                .toCompletableFuture()
                .join();
    }
}
