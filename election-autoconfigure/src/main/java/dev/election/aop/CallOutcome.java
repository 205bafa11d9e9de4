package dev.election.aop;

/** What became of a guarded call. */
public enum CallOutcome {
    /** It was admitted, however it ended. */
    RAN("ran"),
    /** This node does not lead, and nothing was done. */
    SKIPPED("skipped"),
    /** This node does not lead, and the caller was told so by an exception. */
    REJECTED("rejected");

    private final String tag;

    CallOutcome(String tag) {
        this.tag = tag;
    }

    /** How it is called where it is counted. */
    public String tag() {
        return tag;
    }
}
