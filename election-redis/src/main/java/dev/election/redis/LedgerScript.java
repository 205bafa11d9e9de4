package dev.election.redis;

import java.util.Locale;

/** The scripts that carry out one request to a ledger. */
enum LedgerScript implements BatchedScript {
    OPEN,
    WRITE,
    RESTORE,
    READ,
    CHECK;

    @Override
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The name of the file. */
    String file() {
        return "ledger-" + text();
    }

    /** 70 entries are read in the time of five renewals. A batch with larger ledgers ends early, see ledgers.lua. */
    @Override
    public double renewals() {
        return this == OPEN || this == READ ? 5 : ProtocolScript.RENEWALS_FOR_ANOTHER;
    }

    @Override
    public boolean isGranting() {
        return false;
    }
}
