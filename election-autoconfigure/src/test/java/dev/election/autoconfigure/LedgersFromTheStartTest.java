package dev.election.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.Elections;
import dev.election.jobs.ledger.Ledger;
import dev.election.jobs.ledger.LedgerUser;
import dev.election.jobs.ledger.SharedLedgers;
import dev.election.jobs.slots.ScheduleSlots;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.LedgerStore;
import dev.election.testing.HandDrivenElections;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** An application whose first job is added while it runs. */
class LedgersFromTheStartTest {

    private static final long START = 1_000;
    private static final long NOW = 10_000;

    private final HandDrivenElections elections = new HandDrivenElections();

    private final ApplicationContextRunner runner = ElectionContext.inMemory()
            .withBean(Elections.class, () -> elections)
            .withBean(LedgerStore.class, InMemoryLedgerStore::new);

    @Test
    void without_another_leader_its_slots_were_missed() {
        runner.run(context -> {
            elections.get("reports").lead(5);

            assertThat(missedFrom(context.getBean(SharedLedgers.class))).isNotNull();
        });
    }

    @Test
    void a_leader_that_was_there_before_the_job_may_have_run_its_slots() {
        runner.run(context -> {
            elections.get("reports").leadElsewhere(4);
            elections.get("reports").lead(5);

            assertThat(missedFrom(context.getBean(SharedLedgers.class))).isNull();
        });
    }

    /** From when on the slots of a job are missed that is added now. */
    private static Long missedFrom(SharedLedgers ledgers) {
        AtomicReference<ScheduleSlots> slots = new AtomicReference<>();
        ledgers.join(new LedgerUser() {
            @Override
            public Need need() {
                return new Need("a test", "remove it");
            }

            @Override
            public boolean uses(String election) {
                return election.equals("reports");
            }

            @Override
            public void opened(String election, Ledger ledger) {
                slots.set(ledger.of("s", Duration.ofMinutes(5)).slots("job"));
            }
        });
        return slots.get().unsettledFrom(START, NOW);
    }
}
