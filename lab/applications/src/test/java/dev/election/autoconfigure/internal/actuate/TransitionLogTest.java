package dev.election.autoconfigure.internal.actuate;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.election.Abdication;
import dev.election.Election;
import dev.election.Elections;
import dev.election.testing.Excluded;
import dev.election.testing.Nodes;
import dev.election.testing.OperatedApplication;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.springframework.boot.WebApplicationType;

/** What an operator reads at three in the morning. */
@RealTime
class TransitionLogTest {

    /** Between the warning at its half and its end, the store comes back. */
    private static final String LEASE = "election.lease=6s";

    private final OperatedApplication application =
            new OperatedApplication("spring.autoconfigure.exclude=" + Excluded.SECURITY, LEASE);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final Logger logger = (Logger) LoggerFactory.getLogger("dev.election");
    private Election election;

    @BeforeEach
    void lead() {
        Election first = application.join("first");
        Nodes.await("another leads").until(first::isLeader);
        application.start(WebApplicationType.NONE);
        election = application.bean(Elections.class).get(Election.DEFAULT);
        Nodes.await("this node follows").until(() -> election.leader().isPresent());
        // Not before: an application that starts sets up its logging anew.
        log.list = new CopyOnWriteArrayList<>();
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
        first.abdicate(Abdication.toAnyone().coolingDownFor(Duration.ofMinutes(1)))
                .toCompletableFuture()
                .join();
        Nodes.await("this node leads").until(election::isLeader);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        logger.setLevel(null);
        application.close();
    }

    @Test
    void each_transition_is_one_line_with_election_node_token_reason_and_duration() {
        String token = election.leadership().orElseThrow().token().toString();
        awaitLine(Level.INFO, "app leads the election 'default' with token " + token + ", after ");
        election.abdicate().toCompletableFuture().join();
        awaitLine(Level.INFO, "app no longer leads the election 'default' (ABDICATED) after ");
        awaitLine(Level.INFO, "with token " + token);
        assertThat(count("app no longer leads")).isEqualTo(1);
    }

    @Test
    void a_lease_at_risk_is_one_warning_and_its_renewal_one_line() {
        application.away(true);
        awaitLine(Level.WARN, "app has not renewed its lease of the election 'default' for half of the lease");
        application.away(false);
        awaitLine(Level.INFO, "app has renewed its lease of the election 'default' again");
        assertThat(count("for half of the lease")).isEqualTo(1);
        assertThat(election.isLeader()).isTrue();
    }

    private void awaitLine(Level level, String text) {
        Nodes.await(text).until(() -> lines().stream()
                .anyMatch(line ->
                        line.getLevel() == level && line.getFormattedMessage().contains(text)));
    }

    private long count(String text) {
        return lines().stream()
                .filter(line -> line.getFormattedMessage().contains(text))
                .count();
    }

    /** The appender goes on meanwhile. */
    private List<ILoggingEvent> lines() {
        return new CopyOnWriteArrayList<>(log.list);
    }
}
