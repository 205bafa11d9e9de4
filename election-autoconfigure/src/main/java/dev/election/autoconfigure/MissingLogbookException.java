package dev.election.autoconfigure;

/** Scheduled jobs are guarded by elections over a store that brings nothing to record their slots in. */
final class MissingLogbookException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MissingLogbookException() {
        super(
                "There are scheduled jobs with leader guards (of Quartz, or @Scheduled with recoverWithin), but no Logbook in which a leader could record the slots that it has run, for the next"
                        + " leader: the application defines no Logbook bean, and its lease store has no Logbook");
    }

    String action() {
        return "Define a Logbook bean over the same store, return a Logbook from LeaseStore.logbook(), or set"
                + " election.jobs.ledger=off to do without. Without a ledger a new leader does not run missed slots, and may run a slot again that the earlier leader has run.";
    }
}
