package dev.election.spring.calls;

/** The outcome of a guarded call. */
public enum CallOutcome {
    /** The call was admitted, whether it returned or threw. */
    RAN("ran"),
    /** This node does not lead: the method was not called, and the caller got an empty result. */
    SKIPPED("skipped"),
    /**
     * This node leads, but the slot of the job was run before, or it can't be known or recorded yet: the method was not called, and the caller
     * got an empty result.
     */
    WITHHELD("withheld"),
    /** This node does not lead: the method was not called, and the caller got an exception. */
    REJECTED("rejected");

    private final String tag;

    CallOutcome(String tag) {
        this.tag = tag;
    }

    /** The value of the tag of meters. */
    public String tag() {
        return tag;
    }
}
