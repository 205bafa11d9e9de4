package dev.election.spring.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import dev.election.store.InMemoryLedgerStore;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.scheduling.annotation.Scheduled;

/** What a guard says of a job is checked when its bean is created. */
class JobTermsTest {

    private static final Instant NOON = Instant.parse("2026-11-23T12:00:00Z");

    private final JobNode node = new JobNode(new InMemoryLedgerStore(), NOON);

    @Test
    void a_method_without_a_cron_expression_has_no_slots_to_recover() {
        class FixedRate {
            @Scheduled(fixedRate = 1000)
            @LeaderOnly(recoverWithin = "10m")
            public void run() {}
        }
        assertRefused(new FixedRate(), "no cron expression");
    }

    @Test
    void a_time_that_can_t_be_read_is_named() {
        class Soon {
            @Scheduled(cron = "0 * * * * *")
            @LeaderOnly(recoverWithin = "soon")
            public void run() {}
        }
        assertRefused(new Soon(), "recoverWithin is 'soon', which is no time");
    }

    @Test
    void a_time_can_t_be_negative() {
        class Negative {
            @Scheduled(cron = "0 * * * * *")
            @LeaderOnly(recoverWithin = "-1s")
            public void run() {}
        }
        assertRefused(new Negative(), "recoverWithin is '-1s', which is no time");
    }

    @Test
    void nothing_is_run_again_of_which_nothing_is_recorded() {
        class Rerun {
            @Scheduled(cron = "0 * * * * *")
            @LeaderOnly(rerunInterrupted = true)
            public void run() {}
        }
        assertRefused(new Rerun(), "rerunInterrupted is set");
    }

    @Test
    void two_methods_of_a_bean_can_t_have_the_same_name_either() {
        class Twins {
            @Scheduled(cron = "*/2 * * * * *")
            @LeaderOnly(recoverWithin = "10m", job = "report")
            public void even() {}

            @Scheduled(cron = "1/2 * * * * *")
            @LeaderOnly(recoverWithin = "10m", job = "report")
            public void odd() {}
        }
        assertRefused(new Twins(), "the job name 'report' is also that of");
        class Spaced {
            @LeaderOnly(atLeastFor = "10m", job = "spaced")
            public void one() {}

            @LeaderOnly(atLeastFor = "10m", job = "spaced")
            public void other() {}
        }
        assertRefused(new Spaced(), "the job name 'spaced' is also that of");
    }

    @Test
    void two_jobs_can_t_have_the_same_name() {
        class Named {
            @Scheduled(cron = "0 * * * * *")
            @LeaderOnly(recoverWithin = "10m", job = "report")
            public void run() {}
        }
        node.add("one", new Named());

        assertThatThrownBy(() -> node.add("two", new Named()))
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("the job name 'report' is also that of");
    }

    @Test
    void the_same_schedule_twice_would_be_claimed_twice() {
        class Twice {
            @Scheduled(cron = "0 * * * * *")
            @Scheduled(cron = "0 * * * * *", scheduler = "another")
            @LeaderOnly(recoverWithin = "10m")
            public void run() {}
        }
        assertRefused(new Twice(), "two of its schedules are the same");
    }

    @Test
    void a_name_on_a_type_would_be_that_of_all_its_methods() {
        @LeaderOnly(job = "report")
        class Named {
            @Scheduled(cron = "0 * * * * *")
            public void run() {}
        }
        assertRefused(new Named(), "the job name 'report' would be that of each method");
    }

    @Test
    void a_guard_on_a_type_is_for_its_methods_with_a_cron_expression() {
        @LeaderOnly(recoverWithin = "10m")
        class Mixed {
            @Scheduled(cron = "0 * * * * *")
            public void run() {}

            @Scheduled(cron = Scheduled.CRON_DISABLED)
            public void never() {}

            public void help() {}
        }
        node.add("mixed", new Mixed());

        assertThat(node.jobNames()).containsExactly("mixed.run");
    }

    @Test
    void a_zero_turns_off_what_the_guard_of_the_type_has_turned_on() {
        @LeaderOnly(recoverWithin = "5m")
        class Off {
            @Scheduled(cron = "0 * * * * *")
            @LeaderOnly(recoverWithin = "0")
            public void off() {}

            @Scheduled(cron = "0 * * * * *")
            public void on() {}
        }
        node.add("jobs", new Off());

        assertThat(node.jobNames()).containsExactly("jobs.on");
    }

    private void assertRefused(Object bean, String why) {
        assertThatThrownBy(() -> node.add("bean", bean))
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining(why);
    }
}
