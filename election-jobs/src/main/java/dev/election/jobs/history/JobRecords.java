package dev.election.jobs.history;

import dev.election.jobs.ledger.SharedLedgers;

/**
 * The records of the jobs of this node's leaderships.
 *
 * @param ledgers what the next leader has to know: which slots were run. Over a {@link dev.election.jobs.ledger.NoLedgerStore} nothing that
 *     an earlier leader missed is run late, unless no other node has led before
 * @param history the runs, for people
 */
public record JobRecords(SharedLedgers ledgers, JobHistory history) {}
