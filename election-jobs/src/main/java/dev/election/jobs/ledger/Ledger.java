package dev.election.jobs.ledger;

import dev.election.FencingToken;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The records of the scheduled jobs of one election during one leadership. Obtained from {@link Ledgers}. */
public final class Ledger {

    /** The largest difference between the clocks of two nodes. Slots are remembered for so much longer than they can be missed. */
    private static final Duration CLOCKS_APART = Duration.ofHours(1);

    private final FencingToken token;
    private final LedgerEntries entries;
    private final Evidence evidence;
    private final Map<String, SchedulerLedger> schedulers = new ConcurrentHashMap<>();

    /**
     * @param token of the leadership
     * @param entries where to record
     * @param evidence what is certain of what is not recorded
     */
    Ledger(FencingToken token, LedgerEntries entries, Evidence evidence) {
        this.token = token;
        this.entries = entries;
        this.evidence = evidence;
    }

    /** The token of the leadership. */
    public FencingToken token() {
        return token;
    }

    /**
     * The part of one scheduler.
     *
     * @param scheduler its name, the same on every node; no other name may begin with it and a slash
     * @param recoverWithin how long one of its slots is worth being run late, the same at each call
     */
    public SchedulerLedger of(String scheduler, Duration recoverWithin) {
        // Asked at every firing, and the answer is there at all but the first.
        SchedulerLedger known = schedulers.get(scheduler);
        return known != null
                ? known
                : schedulers.computeIfAbsent(
                        scheduler,
                        name -> new SchedulerLedger(
                                name,
                                token,
                                entries,
                                recoverWithin.plus(CLOCKS_APART).toMillis(),
                                evidence));
    }
}
