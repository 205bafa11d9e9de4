package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Abdication;
import dev.election.Election;
import dev.election.Elections;
import dev.election.testing.Excluded;
import dev.election.testing.LoggedLines;
import dev.election.testing.Nodes;
import dev.election.testing.OperatedApplication;
import dev.election.testing.RealTime;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.WebApplicationType;

/** What an operator reads at three in the morning. */
@RealTime
class TransitionLogTest {

    /** Between the warning at its half and its end, the store comes back. */
    private static final String LEASE = "election.lease=6s";

    @AutoClose
    private final OperatedApplication application =
            new OperatedApplication("spring.autoconfigure.exclude=" + Excluded.SECURITY, LEASE);

    @AutoClose
    private LoggedLines log;

    private Election election;

    @BeforeEach
    void lead() {
        Election first = application.join("first");
        Nodes.await("another leads").until(first::isLeader);
        application.start(WebApplicationType.NONE);
        election = application.bean(Elections.class).get(Election.DEFAULT);
        Nodes.await("this node follows").until(() -> election.leader().isPresent());
        // Not before: an application that starts sets up its logging anew.
        log = new LoggedLines("dev.election");
        first.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMinutes(1)))
                .toCompletableFuture()
                .join();
        Nodes.await("this node leads").until(election::isLeader);
    }

    @Test
    void each_transition_is_one_line_with_election_node_token_reason_and_duration() {
        String token = election.leadership().orElseThrow().token().toString();
        awaitLine("INFO", "app leads the election 'default' with token " + token + ", after ");
        election.abdicate().toCompletableFuture().join();
        awaitLine("INFO", "app no longer leads the election 'default' (ABDICATED) after ");
        awaitLine("INFO", "with token " + token);
        assertThat(log.with("app no longer leads")).hasSize(1);
    }

    @Test
    void a_lease_at_risk_is_one_warning_and_its_renewal_one_line() {
        application.away(true);
        awaitLine("WARN", "app has not renewed its lease of the election 'default' for half of the lease");
        application.away(false);
        awaitLine("INFO", "app has renewed its lease of the election 'default' again");
        assertThat(log.with("for half of the lease")).hasSize(1);
        assertThat(election.isLeader()).isTrue();
    }

    private void awaitLine(String level, String text) {
        Nodes.await(text)
                .until(() -> log.withLevels().stream().anyMatch(line -> line.startsWith(level) && line.contains(text)));
    }
}
