/**
 * The ledger: the record of which slots of scheduled jobs were run, so that the next leader runs the missed ones and nothing twice. Shared
 * by the modules that schedule jobs and by the wiring. Begin with {@link SharedLedgers}, {@link SchedulerLedger} and {@link Ledger}.
 *
 * <p>In: {@link SharedLedgers} listens to leadership. When this node leads an election that a {@link LedgerUser} uses, such as the guards
 * of Quartz or of {@code @Scheduled} methods, it opens the ledger of the election, which reads what earlier leaders have
 * recorded, and passes a {@link Ledger} to its users. {@link Evidence} says from when on a slot without a record was certainly not run.
 *
 * <p>Each scheduler has its own part of the ledger, a {@link SchedulerLedger}, with the slots of its schedules. Where the nodes of a
 * scheduler share a job store, {@link RecentSlots} refuse what that store gives out again.
 *
 * <p>Out: {@link Ledger} keeps all entries in memory and writes the changes, for claims and for runs. The token of the leader fences them: the store refuses
 * what earlier leaders still write. Entries that the store did not take are sent again, and all of them if it has lost the ledger, for
 * which the leader looks once a minute. A {@link LedgerWatcher} is told of failures: {@link LedgerProblems} report those of claims, as a
 * {@link LedgerProblem} and in the log.
 *
 * <p>Threads: leadership events come on threads of listeners, replies on threads of the store, further attempts on threads of the
 * ledger, after pauses that grow ({@link Backoff}).
 * Claims and records come from the threads of jobs. A job waits for the store only if it must not begin without the record
 * ({@link Ledger#isConfirmed}).
 */
@NullMarked
package dev.election.jobs.ledger;

import org.jspecify.annotations.NullMarked;
