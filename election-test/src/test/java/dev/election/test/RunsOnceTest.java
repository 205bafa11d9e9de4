package dev.election.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.RunOnce;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;

/** A test of an application with a task that runs once, without a store. */
@SpringBootTest(classes = {TestedApplication.class, RunsOnceTest.Migration.class})
@AutoConfigureTestElections
class RunsOnceTest {

    @Autowired
    private Migration migration;

    @Test
    void the_task_has_run_in_the_context_of_the_test() {
        assertThat(migration.runs()).isEqualTo(1);
    }

    static class Migration {

        private final AtomicInteger runs = new AtomicInteger();

        @RunOnce("migration")
        public void migrate() {
            runs.incrementAndGet();
        }

        public int runs() {
            return runs.get();
        }
    }
}
