package dev.election.autoconfigure;

/** Quartz jobs are guarded by elections over a store that brings nothing to record their slots in. */
final class MissingLogbookException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MissingLogbookException() {
        super(
                "There are Quartz schedulers, but no Logbook in which a leader could record the slots that it has fired, for the next"
                        + " leader: the application defines no Logbook bean, and its lease store has no Logbook");
    }

    String action() {
        return "Define a Logbook bean over the same store, return a Logbook from LeaseStore.logbook(), or set"
                + " election.quartz.ledger=off to do without. Without a ledger a new leader does not fire missed slots, and may fire a slot again that the earlier leader has fired.";
    }
}
