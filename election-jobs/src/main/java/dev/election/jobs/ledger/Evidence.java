package dev.election.jobs.ledger;

/**
 * The times from which on a leader can be certain of what the ledger does not say.
 *
 * @param complete whether nobody has ever run what is not recorded, as far as that can be told
 * @param provenFrom the first time from which on that is certain, in milliseconds since 1970
 * @param losslessFrom since when the store has certainly lost nothing, by its own clock
 */
record Evidence(boolean complete, long provenFrom, long losslessFrom) {}
