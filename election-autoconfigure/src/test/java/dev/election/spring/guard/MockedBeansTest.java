package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import dev.election.LeaderOnly;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.testing.HandDrivenElections;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.bean.override.mockito.MockitoBean;
import org.springframework.test.context.bean.override.mockito.MockitoSpyBean;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

/** A test of an application may put mocks and spies in the place of guarded beans. */
@SpringJUnitConfig(MockedBeansTest.Application.class)
class MockedBeansTest {

    @Autowired
    HandDrivenElections elections;

    @MockitoBean
    Scanned mockOfScanned;

    @MockitoBean
    Made mockOfMade;

    @MockitoSpyBean
    Spied spy;

    @Test
    void a_mock_answers_as_the_test_wants_whoever_leads() {
        elections.follow("default");
        when(mockOfScanned.work()).thenReturn("mocked");
        when(mockOfMade.work()).thenReturn("made");
        assertThat(mockOfScanned.work()).isEqualTo("mocked");
        assertThat(mockOfMade.work()).isEqualTo("made");
    }

    @Test
    void a_spy_sees_the_calls_that_the_guard_lets_through(@Autowired Caller caller) {
        elections.follow("default");
        assertThat(caller.spied.work()).isNull();
        verify(spy, never()).work();
        elections.lead("default");
        assertThat(caller.spied.work()).isEqualTo("done");
        verify(spy).work();
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration(ElectionAopAutoConfiguration.class)
    @Import({Scanned.class, Spied.class, Caller.class})
    static class Application {

        @Bean
        HandDrivenElections elections() {
            return new HandDrivenElections();
        }

        @Bean
        Made made() {
            return new Made();
        }
    }

    static class Scanned {
        @LeaderOnly
        String work() {
            return "done";
        }
    }

    static class Made {
        @LeaderOnly
        String work() {
            return "done";
        }
    }

    static class Spied {
        @LeaderOnly
        String work() {
            return "done";
        }
    }

    record Caller(Spied spied) {}
}
