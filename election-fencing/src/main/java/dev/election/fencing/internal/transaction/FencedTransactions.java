package dev.election.fencing.internal.transaction;

import dev.election.FencingToken;
import dev.election.fencing.StaleLeaderException;
import dev.election.fencing.internal.table.FenceTable;
import dev.election.fencing.internal.table.RaiseOutcome;
import dev.election.fencing.internal.table.RaiseOutcome.Newer;
import dev.election.fencing.internal.table.RaiseOutcome.OfOtherElection;
import dev.election.fencing.internal.table.RaiseOutcome.Raised;
import java.lang.reflect.Method;
import java.sql.Connection;
import java.time.Duration;
import java.util.function.Supplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.datasource.ConnectionHolder;
import org.springframework.jdbc.datasource.JdbcTransactionObjectSupport;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.AbstractPlatformTransactionManager;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.util.function.SingletonSupplier;

/** The fenced transactions of one database: raises the rows of their resources before, and checks them in the transaction. */
public final class FencedTransactions {

    private static final StackWalker STACK = StackWalker.getInstance(StackWalker.Option.RETAIN_CLASS_REFERENCE);

    private final TokenSource tokens;

    /** The data source by which the transaction manager binds its connections, and not a proxy of it. */
    private final Supplier<DataSource> database;

    private final FenceTable table;
    private final RaisedTokens raised = new RaisedTokens();

    /**
     * Creates them.
     *
     * @param tokens of the threads
     * @param database in which the table is; called at the first call, or before
     * @param lockTimeout how long a statement waits for the lock of a row
     */
    public FencedTransactions(TokenSource tokens, Supplier<DataSource> database, Duration lockTimeout) {
        this.tokens = tokens;
        this.database = SingletonSupplier.of(() -> targetOf(database.get()));
        this.table = new FenceTable(this.database, lockTimeout);
    }

    /** A proxy that takes part in transactions, as jOOQ has it, is not what the transaction manager knows. */
    public static DataSource targetOf(DataSource database) {
        DataSource target = database;
        while (target instanceof TransactionAwareDataSourceProxy proxy && proxy.getTargetDataSource() != null) {
            target = proxy.getTargetDataSource();
        }
        return target;
    }

    /** Raises the resource to the token of this thread unless this process has done so. To be called before the transaction begins. */
    public void raise(Method method, Fence fence) {
        FencedCall call = call(method, fence);
        FencingToken token = call.held().token();
        String resource = call.fence().resource();
        raised.raiseOnce(resource, token, () -> raise(call)).ifPresent(newer -> {
            throw StaleLeaderException.replaced(resource, token, newer);
        });
    }

    private void raise(FencedCall call) {
        String resource = call.fence().resource();
        String election = call.fence().election();
        FencingToken token = call.held().token();
        if (!call.held().isCurrent()) {
            // In a database that was restored from a backup the row of the newer leader may be missing.
            throw StaleLeaderException.ended(resource, token, null);
        }
        RaiseOutcome outcome = table.raise(resource, election, token);
        if (outcome instanceof Newer newer) {
            throw StaleLeaderException.replaced(resource, token, newer.token());
        }
        if (outcome instanceof OfOtherElection other) {
            throw ofOtherElection(call, other.election());
        }
        assertRaised(outcome);
    }

    private static void assertRaised(RaiseOutcome outcome) {
        if (!(outcome instanceof Raised)) {
            throw new IllegalStateException("Unknown outcome " + outcome);
        }
    }

    /** Adds the call to what is checked before the commit. To be called within the transaction of the method. */
    public void join(Method method, Fence fence) {
        FencedCall call = call(method, fence);
        String name = FencedCall.nameOf(method);
        if (!TransactionSynchronizationManager.isActualTransactionActive()
                || !TransactionSynchronizationManager.isSynchronizationActive()) {
            throw new IllegalStateException("The fenced method " + name
                    + " was called without a transaction, or its transaction manager has switched"
                    + " transaction synchronization off: what it writes can't be checked. Use a transaction manager with"
                    + " transaction synchronization");
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw new IllegalStateException("The fenced method " + name
                    + " was called within a read-only transaction, in which it can't write. Begin the outer transaction without"
                    + " readOnly, or call the method with REQUIRES_NEW");
        }
        TransactionStatus status = TransactionAspectSupport.currentTransactionStatus();
        DataSource own = database.get();
        if (!isOf(own, status)) {
            throw new IllegalStateException("The transaction of the fenced method " + name
                    + " is not one of the data source of the table election_fence, so the table can't be checked within it. Let"
                    + " @Transactional name the transaction manager of that data source, or name the other data source in"
                    + " election.fencing.jdbc.data-source. JTA and chained transaction managers are not supported");
        }
        FenceCheck.current(own).add(call, !status.isNewTransaction() && isBeingCommitted());
    }

    /**
     * Whether the connection that is bound for the database is that of the transaction, and not one that a transaction of another database uses
     * besides.
     */
    private static boolean isOf(DataSource database, TransactionStatus status) {
        return TransactionSynchronizationManager.getResource(database) instanceof ConnectionHolder bound
                && status instanceof DefaultTransactionStatus known
                && known.hasTransaction()
                && known.getTransaction() instanceof JdbcTransactionObjectSupport transaction
                && transaction.hasConnectionHolder()
                && transaction.getConnectionHolder() == bound;
    }

    /** Whether a callback of a commit makes this call: a check that is registered then would not be called any more. */
    private static boolean isBeingCommitted() {
        return STACK.walk(
                frames -> frames.anyMatch(frame -> frame.getDeclaringClass() == AbstractPlatformTransactionManager.class
                        && frame.getMethodName().equals("commit")));
    }

    /** Locks the row of the resource in the current transaction; fails unless it has the token of the call. */
    void check(FencedCall call, DataSource bound) {
        String resource = call.fence().resource();
        FencingToken token = call.held().token();
        FenceTable.Row row = lock(call, bound);
        if (row == null || row.token() < token.value()) {
            raised.forget(resource, token);
            throw new ConcurrencyFailureException("The row of the resource '" + resource + "' in election_fence "
                    + (row == null ? "is missing" : "has token " + row.token())
                    + " though this node has raised it to token " + token
                    + ": somebody changed it, or the database has lost commits (restored from a backup, or failed over to a"
                    + " replica). The transaction of " + FencedCall.nameOf(call.method())
                    + " is rolled back. Repeat it: the next call raises the row again");
        }
        if (row.election() != null && !row.election().equals(call.fence().election())) {
            throw ofOtherElection(call, row.election());
        }
        if (row.token() > token.value()) {
            throw StaleLeaderException.replaced(resource, token, new FencingToken(row.token()));
        }
    }

    private FenceTable.@Nullable Row lock(FencedCall call, DataSource bound) {
        if (!(TransactionSynchronizationManager.getResource(bound) instanceof ConnectionHolder holder)) {
            throw new IllegalStateException("The transaction of " + FencedCall.nameOf(call.method())
                    + " has no connection any more: it can't be checked");
        }
        Connection connection = holder.getConnection();
        try {
            return table.lock(connection, call.fence().resource());
        } catch (ConcurrencyFailureException failure) {
            if (!call.held().isCurrent()) {
                throw StaleLeaderException.ended(
                        call.fence().resource(), call.held().token(), failure);
            }
            throw failure;
        }
    }

    private FencedCall call(Method method, Fence declared) {
        Fence fence = declared.ofThisThread();
        TokenSource.Held held = tokens.find(fence.resource(), fence.election())
                .orElseThrow(
                        () -> new IllegalStateException(
                                "The fenced method " + FencedCall.nameOf(method)
                                        + " was called outside leader work of the election '" + fence.election()
                                        + "', so there is no fencing token to check. Call it from a @LeaderOnly method of that election or within"
                                        + " Election.runIfLeader(); on other threads wrap the executor with CurrentWork.get().on(executor)"));
        return new FencedCall(method, fence, held, this);
    }

    private static IllegalStateException ofOtherElection(FencedCall call, String election) {
        return new IllegalStateException("The resource '" + call.fence().resource()
                + "' belongs to the election '" + election + "' by its row in election_fence, but "
                + FencedCall.nameOf(call.method()) + " is fenced with '"
                + call.fence().election()
                + "'. Name that election in @Fenced, or use another resource name. To hand the resource over for good, stop its"
                + " writers and set the column election of the row");
    }
}
