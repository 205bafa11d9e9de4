package dev.election.quartz.internal.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.election.ConditionalOnLeader;
import dev.election.ElectionConfigurationException;
import dev.election.LeaderOnly;
import dev.election.OnLoss;
import dev.election.Otherwise;
import dev.election.Partitioned;
import dev.election.Recover;
import dev.election.quartz.EveryNode;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobDataMap;
import org.quartz.JobExecutionContext;

/** Which election guards a job. */
class GuardRulesTest {

    private final GuardRules rules = new GuardRules(
            name -> name.replace("${app.election}", "resolved"),
            Map.of("billing", "money", "local", "*", "app", "${app.election}"),
            "default");

    @Test
    void the_class_comes_before_data_group_and_default() {
        assertThat(guard(Reports.class, "data", "billing")).isEqualTo(new JobGuard("reports", OnLoss.CONTINUE));
    }

    @Test
    void the_data_come_before_group_and_default() {
        assertThat(election(Plain.class, "data", "billing")).isEqualTo("data");
    }

    @Test
    void the_group_comes_before_the_default() {
        assertThat(election(Plain.class, null, "billing")).isEqualTo("money");
    }

    @Test
    void all_others_have_the_default() {
        assertThat(election(Plain.class, null, "DEFAULT")).isEqualTo("default");
    }

    @Test
    void each_of_them_may_let_a_job_run_everywhere() {
        assertThat(guard(Everywhere.class, "data", "billing")).isNull();
        assertThat(guard(Plain.class, "*", "billing")).isNull();
        assertThat(guard(Plain.class, null, "local")).isNull();
        GuardRules free = new GuardRules(name -> name, Map.of("billing", "money"), "*");
        assertThat(free.of(Plain.class, new JobDataMap(), "DEFAULT")).isNull();
        assertThat(free.of(Plain.class, new JobDataMap(), "billing")).isNotNull();
    }

    @Test
    void names_may_be_placeholders_wherever_they_stand() {
        assertThat(election(Placeholder.class, null, "DEFAULT")).isEqualTo("resolved");
        assertThat(election(Plain.class, "${app.election}", "DEFAULT")).isEqualTo("resolved");
        assertThat(election(Plain.class, null, "app")).isEqualTo("resolved");
    }

    @Test
    void annotations_are_found_on_annotations_and_super_types_and_the_nearest_counts() {
        assertThat(guard(Careful.class, null, "DEFAULT")).isEqualTo(new JobGuard("money", OnLoss.INTERRUPT));
        assertThat(election(ReportsToo.class, null, "DEFAULT")).isEqualTo("reports");
        assertThat(election(Other.class, null, "DEFAULT")).isEqualTo("other");
        assertThat(guard(ReportsEverywhere.class, null, "DEFAULT")).isNull();
    }

    @Test
    void of_two_on_one_class_the_guard_counts() {
        assertThat(election(Undecided.class, null, "DEFAULT")).isEqualTo("reports");
    }

    @Test
    void what_is_no_name_is_refused_and_told_where_it_stands() {
        assertThatThrownBy(() -> guard(Plain.class, "no name", "DEFAULT"))
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("no name")
                .hasMessageContaining(Plain.class.getName());
        assertThatThrownBy(() -> new GuardRules(name -> name, Map.of("g", "a b"), "default").ofGroups())
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("election.quartz.groups.g");
        assertThatThrownBy(() -> new GuardRules(
                                name -> {
                                    throw new IllegalArgumentException();
                                },
                                Map.of(),
                                "${missing}")
                        .ofGroups())
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("${missing}")
                .hasMessageContaining("election.quartz.election");
    }

    @Test
    void a_job_is_called_for_no_partition() {
        assertThatThrownBy(() -> guard(Shared.class, null, "DEFAULT"))
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining("@Partitioned on")
                .hasMessageContaining("Shared.execute")
                .hasMessageContaining("has no effect on a Quartz job");
    }

    @Test
    void what_a_guard_says_without_effect_on_a_job_is_refused() {
        assertThatThrownBy(() -> guard(Limited.class, null, "DEFAULT"))
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining(Limited.class.getName()
                        + " sets job, recoverWithin, recover, rerunInterrupted, atLeastFor, atMostFor,");
        assertThatThrownBy(() -> guard(Failing.class, null, "DEFAULT"))
                .isInstanceOf(ElectionConfigurationException.class)
                .hasMessageContaining(Failing.class.getName() + " sets otherwise,");
        assertThat(guard(LimitedEverywhere.class, null, "DEFAULT")).isNull();
    }

    @Test
    void the_elections_of_groups_are_known_without_a_job() {
        assertThat(rules.ofGroups()).containsExactly("money", "resolved");
    }

    private @Nullable String election(Class<?> type, @Nullable String data, String group) {
        JobGuard guard = guard(type, data, group);
        return guard == null ? null : guard.election();
    }

    private @Nullable JobGuard guard(Class<?> type, @Nullable String data, String group) {
        JobDataMap map = new JobDataMap();
        if (data != null) {
            map.put(QuartzData.ELECTION, data);
        }
        return rules.of(type, map, group);
    }

    static class Plain implements Job {
        @Override
        public void execute(JobExecutionContext context) {}
    }

    static class Shared implements Job {
        @Override
        @Partitioned("orders")
        public void execute(JobExecutionContext context) {}
    }

    @LeaderOnly("reports")
    static class Reports extends Plain {}

    static class ReportsToo extends Reports {}

    @LeaderOnly("other")
    static class Other extends Reports {}

    @EveryNode
    static class ReportsEverywhere extends Reports {}

    @EveryNode
    static class Everywhere extends Plain {}

    @EveryNode
    @LeaderOnly("reports")
    static class Undecided extends Plain {}

    @LeaderOnly("${app.election}")
    static class Placeholder extends Plain {}

    @Retention(RetentionPolicy.RUNTIME)
    @ConditionalOnLeader(election = "money", onLoss = OnLoss.INTERRUPT)
    @interface Money {}

    @Money
    static class Careful extends Plain {}

    @LeaderOnly(
            job = "limited",
            recoverWithin = "10m",
            recover = Recover.EVERY,
            rerunInterrupted = true,
            atLeastFor = "5m",
            atMostFor = "50m")
    static class Limited implements Job {
        @Override
        public void execute(JobExecutionContext context) {}
    }

    @EveryNode
    static class LimitedEverywhere extends Limited {}

    @ConditionalOnLeader(otherwise = Otherwise.FAIL)
    static class Failing implements Job {
        @Override
        public void execute(JobExecutionContext context) {}
    }
}
