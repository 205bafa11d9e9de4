package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.when;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.redis.autoconfigure.ElectionRedisAutoConfiguration;
import dev.election.testing.HandDrivenElections;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.redis.autoconfigure.DataRedisAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.Lifecycle;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;

/** A test of an application that puts a mock in the place of the elections. */
@SpringBootTest(classes = MockedElectionsTest.Application.class, webEnvironment = SpringBootTest.WebEnvironment.NONE)
class MockedElectionsTest {

    @MockitoBean
    Elections elections;

    @Autowired
    Job job;

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

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        DataRedisAutoConfiguration.class,
        ElectionAutoConfiguration.class,
        ElectionAopAutoConfiguration.class,
        ElectionLifecycleAutoConfiguration.class,
        ElectionParticipationAutoConfiguration.class,
        ElectionRedisAutoConfiguration.class
    })
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
