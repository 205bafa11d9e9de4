package dev.election.jobs.internal;

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
    private final boolean complete;
    private final long provenFrom;
    private final long losslessFrom;
    private final Map<String, SchedulerLedger> schedulers = new ConcurrentHashMap<>();

    /**
     * @param token of the leadership
     * @param entries where to record
     * @param complete whether nobody has ever run what is not recorded, as far as that can be told
     * @param provenFrom the first time from which on that is certain, in milliseconds since 1970
     * @param losslessFrom since when the store has certainly lost nothing, by its own clock
     */
    Ledger(FencingToken token, LedgerEntries entries, boolean complete, long provenFrom, long losslessFrom) {
        this.token = token;
        this.entries = entries;
        this.complete = complete;
        this.provenFrom = provenFrom;
        this.losslessFrom = losslessFrom;
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
                                complete,
                                provenFrom,
                                losslessFrom));
    }
}
