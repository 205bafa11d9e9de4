package dev.election.redis.bridge;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Reply of the script on the old key.
 *
 * @param outcome the outcome of the request
 * @param master the value, without the quotes of a serializer; empty if there is none
 * @param left how long it lives unless it is renewed, {@code null} if it does not end
 * @param at when it was read, by the clock of Redis
 * @param note what is noted beside the key
 */
record KeyReply(Outcome outcome, String master, @Nullable Duration left, Instant at, Note note) {

    private static final Pattern UNPRINTABLE = Pattern.compile("\\p{C}");
    private static final int LONGEST_SHOWN = 128;

    public enum Outcome {
        /** There is no value. */
        FREE,
        /** The mark of a node with the bridge is there. */
        OURS,
        /** An old node is master. */
        OLD,
        /** The mark of this node is there, for a whole life again. */
        KEPT,
        /** The mark of another node with the bridge is there, under a newer token. */
        NEWER,
        /** The old master was replaced. */
        TAKEN,
        /** The mark of this node was deleted. */
        DROPPED
    }

    /**
     * Note beside the old key.
     *
     * @param quiet for how long no old node has been seen
     * @param token the token under which a node with the bridge wrote the mark, 0 if none did
     * @param highest the highest token that has led under a mark, as far as is noted
     */
    record Note(Duration quiet, long token, long highest) {}

    static KeyReply of(List<String> reply) {
        long left = Long.parseLong(reply.get(2));
        return new KeyReply(
                Outcome.valueOf(reply.get(0).toUpperCase(Locale.ROOT)),
                reply.get(1),
                left < 0 ? null : Duration.ofMillis(left),
                Instant.ofEpochMilli(Long.parseLong(reply.get(3))),
                new Note(
                        Duration.ofMillis(Long.parseLong(reply.get(4))),
                        Long.parseLong(reply.get(5)),
                        Long.parseLong(reply.get(6))));
    }

    boolean isMarkOf(String node) {
        return outcome == Outcome.OURS && master.equals(OldKey.mark(node));
    }

    /** When the key ends unless it is renewed. */
    @Nullable
    Instant ends() {
        return left == null ? null : at.plus(left);
    }

    /** The old master, made safe for a log. */
    String shown() {
        String printable = UNPRINTABLE.matcher(master).replaceAll("?");
        return printable.length() > LONGEST_SHOWN ? printable.substring(0, LONGEST_SHOWN) + "..." : printable;
    }
}
