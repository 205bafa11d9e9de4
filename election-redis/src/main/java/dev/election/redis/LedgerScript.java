package dev.election.redis;

/** The script of a ledger that is run for several elections, too. */
enum LedgerScript implements BatchedScript {
    OPEN;

    @Override
    public String text() {
        return "open";
    }

    /** Work for a ledger of 70 entries. A script with larger ledgers ends early, see ledgers.lua. */
    @Override
    public double renewals() {
        return 5;
    }

    @Override
    public boolean isGranting() {
        return false;
    }
}
