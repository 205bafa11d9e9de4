package dev.election.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionAutoConfiguration;
import dev.election.autoconfigure.ElectionParticipationAutoConfiguration;
import dev.election.redis.autoconfigure.ElectionRedisAutoConfiguration;
import dev.election.store.LeaseStore;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** Contexts that take only a few beans of the application: no auto-configuration of its own is on here. */
@SpringJUnitConfig(TestedApplication.Reports.class)
@AutoConfigureTestElections
class SliceTest {

    @Autowired
    private TestElections elections;

    @Autowired
    private TestedApplication.Reports reports;

    @Test
    void methods_are_guarded() {
        reports.write();
        assertThat(reports.written()).isZero();
        elections.lead("reports");
        reports.write();
        assertThat(reports.written()).isEqualTo(1);
    }

    @Test
    void a_context_runner_takes_the_configuration() {
        new ApplicationContextRunner()
                .withUserConfiguration(TestElectionsConfiguration.class, TestedApplication.Reports.class)
                .withConfiguration(AutoConfigurations.of(
                        DataRedisAutoConfiguration.class,
                        ElectionRedisAutoConfiguration.class,
                        ElectionAutoConfiguration.class,
                        ElectionAopAutoConfiguration.class,
                        ElectionParticipationAutoConfiguration.class))
                .run(context -> {
                    assertThat(context)
                            .hasNotFailed()
                            .hasSingleBean(Elections.class)
                            .doesNotHaveBean(LeaseStore.class);
                    context.getBean(TestElections.class).lead("reports");
                    TestedApplication.Reports guarded = context.getBean(TestedApplication.Reports.class);
                    guarded.write();
                    assertThat(guarded.written()).isEqualTo(1);
                });
    }
}
