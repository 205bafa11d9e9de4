package dev.election.benchmarks;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.autoconfigure.ElectionJobsAutoConfiguration;
import dev.election.store.LedgerStore;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A Spring context with a bean that only the leader runs. */
final class Guarded implements AutoCloseable {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    Guarded(Member member) {
        context.registerBean(Elections.class, member::engine, definition -> definition.setDestroyMethodName(""));
        context.registerBean(
                LedgerStore.class, () -> member.store().ledgerStore().orElseThrow());
        context.register(
                ElectionAopAutoConfiguration.class,
                ElectionJobsAutoConfiguration.class,
                Job.OfLeader.class,
                Job.OfRecordedLeader.class);
        context.refresh();
    }

    Job job() {
        return context.getBean(Job.OfLeader.class);
    }

    Job recorded() {
        return context.getBean(Job.OfRecordedLeader.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
