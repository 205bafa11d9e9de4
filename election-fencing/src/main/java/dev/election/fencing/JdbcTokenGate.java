package dev.election.fencing;

import dev.election.FencingToken;
import dev.election.fencing.internal.table.FenceTable;
import dev.election.fencing.internal.table.RaiseOutcome;
import dev.election.fencing.internal.transaction.FencedTransactions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Supplier;
import javax.sql.DataSource;

/** Keeps the highest tokens in the table {@code election_fence}, in rows that {@link Fenced} methods use too. */
public final class JdbcTokenGate implements TokenGate {

    private final FenceTable table;
    private final Duration ahead;
    private final InstantSource clock;

    /**
     * Asks nothing yet.
     *
     * @param database with the table
     * @param lockTimeout how long a statement waits for the lock of a row; whole seconds
     * @param ahead how far a new token may be ahead of the clock
     * @param clock of this process
     */
    public JdbcTokenGate(Supplier<DataSource> database, Duration lockTimeout, Duration ahead, InstantSource clock) {
        this.ahead = ahead;
        this.table = new FenceTable(() -> FencedTransactions.targetOf(database.get()), lockTimeout);
        this.clock = clock;
    }

    @Override
    public Admission admit(String resource, FencingToken token) {
        long limit = TokenGate.limit(0, clock.millis(), ahead);
        if (token.value() > limit) {
            FenceTable.Row known = table.read(resource);
            limit = TokenGate.limit(known == null ? 0 : known.token(), clock.millis(), ahead);
            if (token.value() > limit) {
                return new Implausible(limit);
            }
        }
        RaiseOutcome outcome = table.raise(resource, null, token);
        return outcome instanceof RaiseOutcome.Newer newer ? new Stale(newer.token()) : new Admitted();
    }
}
