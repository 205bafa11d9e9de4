package dev.election.autoconfigure.internal.actuate.members;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/** Whether a member may lead. */
public enum MemberState {
    @JsonProperty("active")
    ACTIVE,
    @JsonProperty("drained")
    DRAINED;

    /**
     * Reads the parameter of a request.
     *
     * @throws IllegalArgumentException if it is no state, with the reason
     */
    public static MemberState of(@Nullable String text) {
        if ("drained".equalsIgnoreCase(text)) {
            return DRAINED;
        }
        if ("active".equalsIgnoreCase(text)) {
            return ACTIVE;
        }
        throw new IllegalArgumentException(
                "state: must be 'drained' or 'active' but is " + (text == null ? "missing" : "'" + text + "'"));
    }
}
