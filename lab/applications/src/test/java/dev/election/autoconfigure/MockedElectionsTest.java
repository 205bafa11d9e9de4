package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.election.ElectionConfigurationException;
import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.members.NodeMessages;
import dev.election.testing.HandDrivenElections;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.ApplicationContext;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** A test of an application that puts a mock in the place of the elections. */
@SpringBootTest(
        classes = MockedElectionsTest.Application.class,
        webEnvironment = SpringBootTest.WebEnvironment.MOCK,
        properties = {"management.endpoints.web.exposure.include=*", "election.abdicate-when-down=db"})
class MockedElectionsTest {

    @MockitoBean
    Elections elections;

    @Autowired
    Job job;

    @Autowired
    ApplicationContext context;

    @Test
    void a_guarded_call_says_what_to_use_instead() {
        assertThatIllegalStateException()
                .isThrownBy(job::work)
                .withMessageContaining("has no election 'default'")
                .withMessageContaining("@AutoConfigureTestElections of dev.election:election-test");
    }

    @Test
    void a_mock_that_knows_the_election_is_obeyed() {
        HandDrivenElections driven = new HandDrivenElections();
        when(elections.get("default")).thenReturn(driven.get("default"));
        assertThat(job.work()).isNull();
        driven.lead("default");
        assertThat(job.work()).isEqualTo("done");
    }

    @Test
    void the_start_with_a_bean_bound_to_leadership_says_what_to_use_instead() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withBean(Elections.class, () -> mock(Elections.class))
                .withBean(Poller.class)
                .run(context -> assertThat(context)
                        .getFailure()
                        .hasMessageContaining("has no election 'default'")
                        .hasMessageContaining("@AutoConfigureTestElections of dev.election:election-test"));
    }

    @Test
    void who_asks_for_the_members_beside_a_mock_is_told_what_to_use_instead() {
        assertThatThrownBy(() -> context.getBean(NodeMessages.class))
                .rootCause()
                .hasMessageContaining("such as a mock, has replaced the elections")
                .isInstanceOfSatisfying(
                        ElectionConfigurationException.class,
                        replaced -> assertThat(replaced.getAction()).contains("@AutoConfigureTestElections"));
    }

    @Test
    void settings_that_can_not_work_together_end_the_start_beside_a_mock_too() {
        new ApplicationContextRunner()
                .withUserConfiguration(Application.class)
                .withBean(Elections.class, () -> mock(Elections.class))
                .withPropertyValues("election.priority=5", "election.drainable=false")
                .run(context -> assertThat(context).getFailure().rootCause().hasMessageContaining("election.priority"));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @Import(Job.class)
    static class Application {}

    static class Job {
        @LeaderOnly
        String work() {
            return "done";
        }
    }

    @LeaderOnly
    static class Poller implements Lifecycle {

        @Override
        public void start() {
            throw new AssertionError("Nobody leads");
        }

        @Override
        public void stop() {}

        @Override
        public boolean isRunning() {
            return false;
        }
    }
}
