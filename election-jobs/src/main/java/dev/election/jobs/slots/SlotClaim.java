package dev.election.jobs.slots;

import dev.election.FencingToken;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Optional;

/**
 * The claim of a slot as a leader records it before the job begins. If a successor finds it, the job is not known to have begun.
 *
 * @param token of the leader
 * @param at when it was made, by the clock of the leader
 * @param node the leader
 * @param details what else a successor has to know, may be empty
 */
public record SlotClaim(FencingToken token, Instant at, String node, String details) {

    /** Reads the claim of an earlier leader; empty if the text can't be read. */
    public static Optional<SlotClaim> parse(String entry) {
        String[] part = entry.split(" ", 4);
        try {
            return Optional.of(new SlotClaim(
                    new FencingToken(Long.parseLong(part[0])),
                    Instant.ofEpochMilli(Long.parseLong(part[1])),
                    URLDecoder.decode(part[2], StandardCharsets.UTF_8),
                    part[3]));
        } catch (IllegalArgumentException | ArrayIndexOutOfBoundsException notOurs) {
            return Optional.empty();
        }
    }

    /** The text of the entry in the ledger. */
    public String format() {
        return token + " " + at.toEpochMilli() + " " + URLEncoder.encode(node, StandardCharsets.UTF_8) + " " + details;
    }
}
