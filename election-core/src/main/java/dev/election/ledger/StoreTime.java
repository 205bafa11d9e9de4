package dev.election.ledger;

import java.util.function.LongSupplier;

/**
 * The clock of the store during one leadership, from when the ledger was opened. It goes on with the monotonic clock of this node, and is never
 * ahead of the store.
 */
final class StoreTime {

    private final long openedAt;
    private final long openedNanos;
    private final LongSupplier nanos;
    private final long losslessFrom;

    /**
     * @param openedAt what the store said when the ledger was opened, in milliseconds since 1970
     * @param losslessFrom from when on the ledger has certainly lost nothing, by the same clock
     * @param nanos the monotonic clock of this node
     */
    StoreTime(long openedAt, long losslessFrom, LongSupplier nanos) {
        this.openedAt = openedAt;
        this.losslessFrom = losslessFrom;
        this.nanos = nanos;
        this.openedNanos = nanos.getAsLong();
    }

    /** In milliseconds since 1970. */
    long now() {
        return openedAt + (nanos.getAsLong() - openedNanos) / 1_000_000;
    }

    /** What is not recorded may have happened before that time. */
    long losslessFrom() {
        return losslessFrom;
    }
}
