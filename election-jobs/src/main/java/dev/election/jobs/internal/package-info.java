/**
 * Attempts that are repeated: a write to the store that got no answer is made again after a pause which grows with the failures in a row
 * ({@link Backoff}), on a thread of {@link LedgerThreads}. Used by the ledger and by the history, which write to different ledgers and
 * fail apart from each other.
 */
@NullMarked
package dev.election.jobs.internal;

import org.jspecify.annotations.NullMarked;
