package dev.election.ledger;

import dev.election.FencingToken;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** What a leader knows and records of the scheduled jobs of one election during one leadership. Obtained from {@link Ledgers}. */
public final class Ledger {

    private final FencingToken token;
    private final LedgerEntries entries;
    private final long retention;
    private final boolean complete;
    private final Map<String, SchedulerLedger> schedulers = new ConcurrentHashMap<>();

    /**
     * @param token of the leadership
     * @param entries where to record
     * @param retention how long to remember a schedule that has ended, in milliseconds
     * @param complete whether nobody has ever run what is not recorded
     */
    Ledger(FencingToken token, LedgerEntries entries, long retention, boolean complete) {
        this.token = token;
        this.entries = entries;
        this.retention = retention;
        this.complete = complete;
    }

    /** The token of the leadership. */
    public FencingToken token() {
        return token;
    }

    /**
     * The part of one scheduler.
     *
     * @param scheduler its name, the same on every node; no other name may begin with it and a slash
     */
    public SchedulerLedger of(String scheduler) {
        // Asked at every firing, and the answer is there at all but the first.
        SchedulerLedger known = schedulers.get(scheduler);
        return known != null
                ? known
                : schedulers.computeIfAbsent(
                        scheduler, name -> new SchedulerLedger(name, token, entries, retention, complete));
    }
}
