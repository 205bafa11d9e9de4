package dev.election.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.FencingToken;
import dev.election.store.LedgerStore;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.quartz.Job;
import org.quartz.JobBuilder;
import org.quartz.JobExecutionContext;
import org.quartz.Scheduler;
import org.quartz.TriggerBuilder;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.context.annotation.Configuration;

/** An application with Quartz jobs. The store of test elections is no bean, so nothing is missing in which slots could be recorded. */
@SpringBootTest(classes = QuartzApplicationTest.Application.class)
@AutoConfigureTestElections
class QuartzApplicationTest {

    private static final BlockingQueue<Optional<FencingToken>> RUNS = new LinkedBlockingQueue<>();

    @Autowired
    private TestElections elections;

    @Autowired
    private Scheduler scheduler;

    @Autowired
    private ObjectProvider<LedgerStore> ledgers;

    @Test
    void a_job_runs_where_the_test_lets_the_node_lead() throws Exception {
        assertThat(ledgers.stream()).isEmpty();
        elections.lead("default");

        scheduler.scheduleJob(
                JobBuilder.newJob(Recorded.class).build(),
                TriggerBuilder.newTrigger().build());

        assertThat(RUNS.poll(Duration.ofSeconds(20).toMillis(), TimeUnit.MILLISECONDS))
                .isEqualTo(elections.get("default").leadership().map(led -> led.token()));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Application {}

    public static class Recorded implements Job {

        @Override
        public void execute(JobExecutionContext context) {
            RUNS.add(FencingToken.current());
        }
    }
}
