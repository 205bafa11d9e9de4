package dev.election.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import org.junit.jupiter.api.Test;
import org.junit.platform.testkit.engine.EngineTestKit;
import org.springframework.test.context.junit.jupiter.SpringJUnitConfig;

class LeadsWithoutElectionsTest {

    @Test
    void the_failure_says_what_to_add() {
        EngineTestKit.engine("junit-jupiter")
                .selectors(selectClass(Forgetful.class))
                .execute()
                .testEvents()
                .failed()
                .assertThatEvents()
                .singleElement()
                .satisfies(event -> assertThat(event.toString()).contains("add @AutoConfigureTestElections"));
    }

    /** Not found by the build itself: it is no test class by name, and it is private to this one. */
    @SpringJUnitConfig(TestedApplication.Reports.class)
    static class Forgetful {

        @Test
        @Leads("reports")
        void leads() {}
    }
}
