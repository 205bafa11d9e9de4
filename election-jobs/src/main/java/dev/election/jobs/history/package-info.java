/**
 * The history: the latest runs of jobs, for people. They are kept in a second ledger beside that of the slots, so that a full history never
 * refuses a claim. No job waits for it, and nothing is decided by it. Shared by the modules that run jobs and by the wiring.
 *
 * <p>In: a scheduler calls {@link JobHistory#begin} on the thread of the job, and ends the {@link JobHistory.Run} there. Whoever asks for
 * the runs of an election gets what the store has, with what this node has not written yet.
 *
 * <p>Out: {@link RunLedger} keeps the latest runs of each job as {@link RecordedRun} entries of a {@link dev.election.jobs.ledger.Ledger},
 * which writes the changes of a second as one request. If another node leads meanwhile, ends of runs are added to that node's records.
 *
 * <p>{@link JobRecords} are the history and the ledgers together, as a scheduler needs them. Begin reading with {@link JobHistory}.
 */
@NullMarked
package dev.election.jobs.history;

import org.jspecify.annotations.NullMarked;
