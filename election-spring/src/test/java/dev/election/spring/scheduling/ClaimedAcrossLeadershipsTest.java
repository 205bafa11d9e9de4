package dev.election.spring.scheduling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.LeaderOnly;
import dev.election.ScheduledSlot;
import dev.election.store.InMemoryLedgerStore;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.aopalliance.intercept.MethodInterceptor;
import org.junit.jupiter.api.Test;
import org.springframework.aop.framework.Advised;
import org.springframework.scheduling.annotation.Scheduled;

/** A late slot is claimed, and its node loses leadership and leads again before the guard of the method is reached. */
class ClaimedAcrossLeadershipsTest {

    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();
    private final List<String> ran = new ArrayList<>();

    @Test
    void a_slot_that_was_claimed_is_run_or_counted_as_lost_by_the_same_node_that_leads_again() {
        JobNode first = new JobNode(ledger, NOON, new Latest());
        JobNode second = new JobNode(ledger, NOON, new Latest());
        first.lead(1);
        first.scheduler.advance(Duration.ofMinutes(1));
        first.kill();
        second.scheduler.advance(Duration.ofMinutes(4));
        AtomicBoolean once = new AtomicBoolean(true);
        // As an interceptor of the application before the guard, which takes its time.
        ((Advised) second.bean("jobs")).addAdvice(0, (MethodInterceptor) call -> {
            if (once.getAndSet(false)) {
                second.election().follow();
                second.election().lead(3);
            }
            return call.proceed();
        });

        second.lead(2);
        second.scheduler.advance(Duration.ofSeconds(90));

        assertThat(ran.contains("12:04 3") || second.observed.contains("lost 1 of jobs.run"))
                .as("ran %s, observed %s, ledger %s", ran, second.observed, ledger.entries("default"))
                .isTrue();
        assertThat(ledger.entries("default").keySet()).noneMatch(name -> name.contains("/claimed/"));
        assertThat(ran).doesNotHaveDuplicates().contains("12:05 3");
    }

    public class Latest {
        @Scheduled(cron = "0 * * * * *", zone = "UTC")
        @LeaderOnly(recoverWithin = "10m")
        public void run() {
            ran.add(ScheduledSlot.current()
                            .orElseThrow()
                            .scheduledAt()
                            .toString()
                            .substring(11, 16) + " "
                    + FencingToken.current().orElseThrow().value());
        }
    }
}
