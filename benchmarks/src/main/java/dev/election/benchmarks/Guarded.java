package dev.election.benchmarks;

import dev.election.Elections;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;

/** A Spring context with a bean that only the leader runs. */
final class Guarded implements AutoCloseable {

    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    Guarded(Member member) {
        context.registerBean(Elections.class, member::engine, definition -> definition.setDestroyMethodName(""));
        context.register(ElectionAopAutoConfiguration.class, Job.OfLeader.class);
        context.refresh();
    }

    Job job() {
        return context.getBean(Job.OfLeader.class);
    }

    @Override
    public void close() {
        context.close();
    }
}
