package dev.election.fencing.internal.transaction;

import dev.election.ForwardingLeaderWork;
import dev.election.LeaderWork;
import dev.election.Partition;
import dev.election.autoconfigure.ElectionAopAutoConfiguration;
import dev.election.fencing.autoconfigure.ElectionFencingAutoConfiguration;
import dev.election.testing.HandDrivenElection;
import dev.election.testing.HandDrivenElections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.autoconfigure.context.PropertyPlaceholderAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.test.util.TestPropertyValues;
import org.springframework.boot.transaction.autoconfigure.TransactionAutoConfiguration;
import org.springframework.context.annotation.AnnotationConfigApplicationContext;
import org.springframework.context.annotation.Configuration;

/** A process of an application that writes to a database, whose leadership a test decides. */
public final class FencingNode implements AutoCloseable {

    private final HandDrivenElections elections = new HandDrivenElections();
    private final AnnotationConfigApplicationContext context = new AnnotationConfigApplicationContext();

    public FencingNode(DataSource database, Class<?>... beans) {
        this(database, Map.of(), beans);
    }

    public FencingNode(DataSource database, Map<String, String> properties, Class<?>... beans) {
        TestPropertyValues.of("election.fencing.jdbc.initialize-schema=always")
                .and(properties)
                .applyTo(context);
        context.registerBean(HandDrivenElections.class, () -> elections);
        context.registerBean(
                "database", DataSource.class, () -> database, definition -> definition.setDestroyMethodName(""));
        context.register(AutoConfigured.class);
        context.register(beans);
        context.refresh();
    }

    HandDrivenElection election() {
        return elections.get("default");
    }

    /** This node begins to lead, or goes on under the next token. */
    public FencingNode lead(long token) {
        election().lead(token);
        return this;
    }

    public <T> T bean(Class<T> type) {
        return context.getBean(type);
    }

    /** Runs leader work; whatever it throws is thrown. */
    public void work(Work work) throws Exception {
        call(() -> {
            work.run();
            return true;
        });
    }

    private <T> T call(Callable<T> work) throws Exception {
        try (LeaderWork running = election().beginWork().orElseThrow();
                LeaderWork.Scope scope = running.onThisThread()) {
            return work.call();
        }
    }

    /** Runs the work of a partition that this node leads under that token. */
    void inPartition(String group, int index, long token, Work work) throws Exception {
        HandDrivenElection partition = elections.get(group + "." + index);
        partition.lead(token);
        try (LeaderWork running = new ForwardingLeaderWork(partition.beginWork().orElseThrow()) {
                    @Override
                    public Optional<Partition> partition() {
                        return Optional.of(new Partition(group, index, 16, token()));
                    }
                };
                LeaderWork.Scope scope = running.onThisThread()) {
            work.run();
        }
    }

    @Override
    public void close() {
        context.close();
    }

    /** What is done under leadership. */
    public interface Work {
        void run() throws Exception;
    }

    @Configuration(proxyBeanMethods = false)
    @ImportAutoConfiguration({
        ElectionAopAutoConfiguration.class,
        ElectionFencingAutoConfiguration.class,
        DataSourceTransactionManagerAutoConfiguration.class,
        TransactionAutoConfiguration.class,
        PropertyPlaceholderAutoConfiguration.class
    })
    static class AutoConfigured {}
}
