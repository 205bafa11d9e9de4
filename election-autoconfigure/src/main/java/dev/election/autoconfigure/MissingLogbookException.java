package dev.election.autoconfigure;

/** Something is to be recorded in a logbook, and the elections are over a store that brings none. */
final class MissingLogbookException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    static final String NONE = "the application defines no Logbook bean, and its lease store has no Logbook";

    private static final String DEFINE =
            "Define a Logbook bean over the same store, return a Logbook from LeaseStore.logbook(), or ";

    private final String action;

    private MissingLogbookException(String message, String action) {
        super(message);
        this.action = action;
    }

    static MissingLogbookException ofSlots() {
        return new MissingLogbookException(
                "There are scheduled jobs with leader guards (of Quartz, or @Scheduled with recoverWithin), but no Logbook in which a"
                        + " leader could record the slots that it has run, for the next leader: " + NONE,
                DEFINE
                        + "set election.jobs.ledger=off to do without. Without a ledger a new leader does not run missed slots, and may"
                        + " run a slot again that the earlier leader has run.");
    }

    static MissingLogbookException ofRuns() {
        return new MissingLogbookException(
                "election.jobs.history asks for records of the runs of jobs, but there is no Logbook to keep them in: "
                        + NONE,
                DEFINE + "remove election.jobs.history to do without.");
    }

    static MissingLogbookException ofRunsWithoutLedger() {
        return new MissingLogbookException(
                "election.jobs.history asks for records of the runs of jobs, but election.jobs.ledger=off keeps none",
                "Remove one of the two.");
    }

    String action() {
        return action;
    }
}
