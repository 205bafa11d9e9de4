package dev.election.spring.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.spring.Candidacy;
import dev.election.spring.internal.delay.HandDrivenTasks;
import dev.election.testing.LoggedLines;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class StartWaitTest {

    @AutoClose
    private final LoggedLines log = new LoggedLines("dev.election.spring.lifecycle");

    private final HandDrivenTasks tasks = new HandDrivenTasks();
    private final StartWait wait = new StartWait(Candidacy.AFTER_RUNNERS, Optional::empty, tasks);

    @Test
    void a_start_that_takes_long_is_told_of_once_and_so_is_its_end() {
        wait.begin();
        assertThat(tasks.pass()).isEqualTo(Duration.ofSeconds(10));
        assertThat(wait.pending()).get().extracting(PendingStart::since).isEqualTo(Instant.EPOCH);
        wait.end();
        assertThat(tasks.isIdle()).isTrue();
        assertThat(wait.pending()).isEmpty();
        assertThat(log.with("")).hasSize(2);
        assertThat(log.with("can't lead: the start of the application has been waiting for 10 s"))
                .hasSize(1);
        assertThat(log.with("this node now takes part in its elections")).hasSize(1);
    }

    @Test
    void a_start_that_is_through_in_time_is_not_told_of() {
        wait.begin();
        assertThat(wait.pending()).isPresent();
        wait.end();
        assertThat(wait.pending()).isEmpty();
        assertThat(tasks.isIdle()).isTrue();
        assertThat(log.with("")).isEmpty();
    }

    @Test
    void an_application_that_stops_takes_part_in_nothing() {
        wait.begin();
        tasks.pass();
        wait.cancel();
        assertThat(wait.pending()).isEmpty();
        assertThat(log.with("takes part in its elections")).isEmpty();
    }

    @Test
    void one_that_begins_before_its_runners_is_not_told_to_do_so() {
        StartWait early = new StartWait(Candidacy.BEFORE_RUNNERS, Optional::empty, tasks);
        early.begin();
        assertThat(early.pending().orElseThrow().action()).doesNotContain("candidacy");
    }
}
