package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ConditionalOnLeader;
import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import dev.election.testing.HandDrivenElections;
import org.junit.jupiter.api.Test;

class GuardNamesTest {

    @Test
    void a_name_may_come_from_a_property() {
        GuardContext context = new GuardContext().with(Placeholder.class).set("jobs.election=nightly");
        context.run(started -> {
            assertThat(started.getBean(GuardReader.class).names()).containsExactly("nightly");
            assertThat(started.getBean(Placeholder.class).work()).isNull();
            context.elections.lead("nightly");
            assertThat(started.getBean(Placeholder.class).work()).isEqualTo("done");
        });
    }

    @Test
    void a_name_may_have_a_default() {
        new GuardContext().with(Defaulted.class).run(started -> assertThat(
                        started.getBean(GuardReader.class).names())
                .containsExactly("weekly"));
    }

    @Test
    void a_name_whose_property_is_not_set_is_a_startup_error() {
        assertThat(new GuardContext().with(Placeholder.class).failure())
                .hasStackTraceContaining("Placeholder.work()")
                .hasStackTraceContaining("no value for the election name '${jobs.election}'")
                .isInstanceOfSatisfying(
                        ElectionConfigurationException.class,
                        rejection -> assertThat(rejection.getAction()).contains("placeholder whose property is set"));
    }

    @Test
    void a_name_that_is_none_is_a_startup_error() {
        assertThat(new GuardContext().with(BadName.class).failure())
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("BadName.work()")
                .hasMessageContaining("'no name' is not a valid election name");
    }

    @Test
    void the_name_of_a_job_may_come_from_a_property() throws NoSuchMethodException {
        GuardReader reader = new GuardReader(name -> name.replace("${jobs.name}", "billing"), HandDrivenElections::new);
        MethodGuard guard = reader.read(NamedJob.class.getDeclaredMethod("work"));
        assertThat(guard.terms().job()).isEqualTo("nightly-billing");
        assertThat(new GuardContext().with(NamedJob.class).failure())
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("no value for the job name 'nightly-${jobs.name}'");
    }

    static class NamedJob {
        @LeaderOnly(job = "nightly-${jobs.name}")
        public void work() {}
    }

    static class Placeholder {
        @LeaderOnly("${jobs.election}")
        public String work() {
            return "done";
        }
    }

    static class Defaulted {
        @ConditionalOnLeader(election = "${jobs.election:weekly}")
        public void work() {}
    }

    static class BadName {
        @LeaderOnly("no name")
        public void work() {}
    }
}
