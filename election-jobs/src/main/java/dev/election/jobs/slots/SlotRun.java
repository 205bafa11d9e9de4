package dev.election.jobs.slots;

import dev.election.FencingToken;
import java.time.Instant;
import java.util.Optional;

/**
 * The run of a slot as a leader records it when the job begins. If a successor finds it, the job has begun and is not known to have ended.
 *
 * @param token of the leader
 * @param at when it began, by the clock of the leader
 */
public record SlotRun(FencingToken token, Instant at) {

    /** Reads the run of an earlier leader; empty if the text can't be read. */
    public static Optional<SlotRun> parse(String entry) {
        String[] part = entry.split(" ", 2);
        try {
            return Optional.of(new SlotRun(
                    new FencingToken(Long.parseLong(part[0])), Instant.ofEpochMilli(Long.parseLong(part[1]))));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException notOurs) {
            return Optional.empty();
        }
    }

    /** The text of the entry in the ledger. */
    public String format() {
        return token + " " + at.toEpochMilli();
    }
}
