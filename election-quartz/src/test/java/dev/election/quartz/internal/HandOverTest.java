package dev.election.quartz.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.election.ElectionEngine;
import dev.election.NodeInfo;
import dev.election.Timing;
import dev.election.store.InMemoryLedgerStore;
import dev.election.store.test.InMemoryLeaseStore;
import dev.election.testing.RealTime;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.quartz.DisallowConcurrentExecution;

/** Two nodes with real elections, one of which leaves while its job runs. */
@RealTime
class HandOverTest {

    private static final Duration LEASE = Duration.ofSeconds(4);

    private final InMemoryLeaseStore store = new InMemoryLeaseStore(() -> System.nanoTime() / 1_000_000 + 1);
    private final InMemoryLedgerStore ledger = new InMemoryLedgerStore();
    private final Journal journal = new Journal();
    private final ElectionEngine leaving = engine("leaving");
    private final ElectionEngine staying = engine("staying");
    private QuartzNode first;
    private QuartzNode second;

    @AfterEach
    void close() throws Exception {
        first.close();
        second.close();
        leaving.close();
        staying.close();
    }

    @Test
    void the_next_leader_waits_for_a_job_that_must_not_run_twice_at_a_time_and_then_loses_nothing() throws Exception {
        first = QuartzNode.with(ledger)
                .node(journal, leaving)
                .often("job", OneAtATime.class)
                .start();
        leaving.start();
        journal.awaitRun("job", 1);
        second = QuartzNode.with(ledger)
                .node(journal, staying)
                .often("job", OneAtATime.class)
                .start();
        second.letThrough();
        staying.start();

        CompletionStage<Void> left = leaving.stop();
        long asked = System.nanoTime();
        Journal.await().until(() -> System.nanoTime() - asked > LEASE.toNanos() * 5 / 4);

        assertThat(left.toCompletableFuture()).isNotDone();
        assertThat(leaving.get("default").isLeader()).isTrue();
        assertThat(staying.get("default").isLeader()).isFalse();
        assertThat(journal.runs()).hasSize(1);

        first.letThrough();
        left.toCompletableFuture().get(10, TimeUnit.SECONDS);
        journal.awaitRun("job", 12);
        journal.assertThatEachSlotWasFiredOnce("job", QuartzNode.INTERVAL);
    }

    private ElectionEngine engine(String node) {
        return ElectionEngine.over(store)
                .as(new NodeInfo(node, node + ":80"))
                .timing(new Timing(LEASE, LEASE.dividedBy(3), Duration.ofSeconds(20)))
                .build();
    }

    @DisallowConcurrentExecution
    public static class OneAtATime extends Journal.Lasting {}
}
