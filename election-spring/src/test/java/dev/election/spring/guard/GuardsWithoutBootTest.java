package dev.election.spring.guard;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.LeaderOnly;
import dev.election.testing.HandDrivenElections;
import dev.election.testing.LoggedLines;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The terms of a guard in a context of Spring Framework alone. */
@Timeout(60)
class GuardsWithoutBootTest {

    @Test
    void a_call_that_runs_for_too_long_is_interrupted() {
        assertThat(outcome(Worker::tooLong)).isEqualTo("interrupted");
    }

    @Test
    void a_call_whose_annotation_is_composed_is_interrupted_too() {
        assertThat(outcome(Worker::tooLongByOtherName)).isEqualTo("interrupted");
    }

    @Test
    void a_call_without_a_limit_is_not_interrupted() {
        assertThat(outcome(Worker::unlimited)).isEqualTo("ended");
    }

    private static String outcome(Function<Worker, String> call) {
        try (LoggedLines log = new LoggedLines("dev.election");
                AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext(Guards.class)) {
            context.getBean(HandDrivenElections.class).lead("default");
            String outcome = call.apply(context.getBean(Worker.class));
            int warnings = outcome.equals("interrupted") ? 1 : 0;
            Awaitility.await("the warning, which is logged after the interrupt")
                    .until(() -> log.with("has been running for 50 ms (atMostFor) and is interrupted")
                                    .size()
                            == warnings);
            return outcome;
        }
    }

    @Retention(RetentionPolicy.RUNTIME)
    @LeaderOnly(atMostFor = "50ms")
    @interface Brief {}

    static class Worker {

        private final CountDownLatch never = new CountDownLatch(1);

        @LeaderOnly(atMostFor = "50ms")
        public String tooLong() {
            return wait(20_000);
        }

        @Brief
        public String tooLongByOtherName() {
            return wait(20_000);
        }

        @LeaderOnly
        public String unlimited() {
            return wait(200);
        }

        private String wait(int ms) {
            try {
                return never.await(ms, TimeUnit.MILLISECONDS) ? "opened" : "ended";
            } catch (InterruptedException e) {
                return "interrupted";
            }
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Guards {

        @Bean
        HandDrivenElections elections() {
            return new HandDrivenElections();
        }

        @Bean
        static GuardReader reader(ObjectProvider<Elections> elections, Environment environment) {
            return new GuardReader(environment::resolveRequiredPlaceholders, elections::getObject);
        }

        @Bean
        static LeaderGuardPostProcessor guards(ObjectProvider<GuardReader> reader) {
            return new LeaderGuardPostProcessor(reader::getObject, type -> false);
        }

        @Bean
        Worker worker() {
            return new Worker();
        }
    }
}
