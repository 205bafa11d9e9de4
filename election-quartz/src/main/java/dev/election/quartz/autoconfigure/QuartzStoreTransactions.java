package dev.election.quartz.autoconfigure;

import dev.election.quartz.internal.scheduler.StoreTransactions;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;

/**
 * Changes job stores in transactions of the application.
 *
 * @param manager of the database of the jobs, {@code null} if the application has none, or several of which none is marked as this one
 */
record QuartzStoreTransactions(Supplier<@Nullable PlatformTransactionManager> manager) implements StoreTransactions {

    @Override
    public void make(Change change) throws Exception {
        PlatformTransactionManager transactions = manager.get();
        if (transactions == null) {
            change.make();
            return;
        }
        TransactionStatus status = transactions.getTransaction(new DefaultTransactionDefinition());
        try {
            change.make();
        } catch (Exception | Error failure) {
            transactions.rollback(status);
            throw failure;
        }
        transactions.commit(status);
    }
}
