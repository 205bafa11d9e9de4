/**
 * The ledger: the record of which slots of scheduled jobs were run, so that the next leader runs the missed ones and nothing twice.
 * Begin with {@link SharedLedgers}, {@link SchedulerLedger} and {@link LedgerEntries}.
 *
 * <p>{@link SharedLedgers} listens to leadership. When this node leads an election that a {@link LedgerUser} uses, such as the guards of
 * Quartz or of {@code @Scheduled} methods, {@link Ledgers} opens the ledger of the election, which reads what earlier leaders have
 * recorded, and passes a {@link Ledger} to its users. Each scheduler has its own part of it, a {@link SchedulerLedger}:
 * {@link ScheduleSlots} and {@link JobSlots} decide from memory whether a slot may be run, {@link RecentSlots} does so where nodes share
 * a job store.
 *
 * <p>{@link LedgerEntries} keeps all entries in memory and writes the changes. The token of the leader fences them: the store refuses
 * what earlier leaders still write. Entries that the store did not take are sent again, and all of them if it has lost the ledger, which
 * {@link LossDetector} finds out. {@link LedgerProblems} reports failures.
 *
 * <p>Leadership events come on threads of listeners, replies on threads of the store, and further attempts on {@link LedgerThreads}.
 * Claims and records come from the threads of jobs. A job waits for the store only if it must not begin without the record
 * ({@link Confirmation}).
 *
 * <p>{@link JobHistory} and {@link RunLedger} record the runs for applications in a second ledger, for which no job waits and by which
 * nothing is decided.
 */
@NullMarked
package dev.election.jobs.internal;

import org.jspecify.annotations.NullMarked;
