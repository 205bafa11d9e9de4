package dev.election.internal.messages;

import dev.election.members.NodeMessages;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A message as it travels: a line {@code name=value} for each part, an empty line, and the body as it is. Parts that are unknown here are skipped.
 *
 * @param kind what it is
 * @param from the instance that sends it
 * @param type what it is about
 * @param id of the question that it is, or that it replies to; empty for a message without a reply
 * @param body for the application
 */
public record WireMessage(Kind kind, String from, String type, String id, String body) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    /** How many parts are read: a later version may have some more. */
    private static final int MOST_PARTS = 16;

    /** What a message is. */
    public enum Kind {
        /** Nobody waits for a reply. */
        MESSAGE("message"),
        /** The sender waits for a reply. */
        QUESTION("question"),
        /** The reply of a handler. */
        REPLY("reply"),
        /** The handler has failed; the body says how. */
        FAILURE("failure"),
        /** There is no handler of that type. */
        UNKNOWN_TYPE("unknown-type");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Whether it is for somebody who asked. */
        public boolean isReply() {
            return this != MESSAGE && this != QUESTION;
        }

        private static Optional<Kind> of(String text) {
            for (Kind kind : values()) {
                if (kind.text.equals(text)) {
                    return Optional.of(kind);
                }
            }
            return Optional.empty();
        }
    }

    /** Whether a type may have that name. */
    public static boolean isType(String name) {
        return NAME.matcher(name).matches();
    }

    /** A reply to this question. */
    public WireMessage reply(Kind replyKind, String by, String replyBody) {
        return new WireMessage(replyKind, by, type, id, replyBody);
    }

    /** What is sent. */
    public String text() {
        return "kind=" + kind.text + "\nfrom=" + from + "\ntype=" + type + "\n"
                + (id.isEmpty() ? "" : "id=" + id + "\n") + "\n" + body;
    }

    /** How many bytes that has. */
    public int bytes() {
        return text().getBytes(StandardCharsets.UTF_8).length;
    }

    /** Whether a text is longer than any message. */
    static boolean isTooLong(String text) {
        return text.length() > NodeMessages.MOST_BYTES;
    }

    /** Reads what was sent; empty if it is no message. */
    public static Optional<WireMessage> read(String text) {
        Map<String, String> parts = new HashMap<>();
        int begin = 0;
        int end = text.indexOf('\n');
        for (int i = 0; i < MOST_PARTS && end > begin; i++) {
            int sign = text.indexOf('=', begin);
            if (sign > begin && sign < end) {
                parts.put(text.substring(begin, sign), text.substring(sign + 1, end));
            }
            begin = end + 1;
            end = text.indexOf('\n', begin);
        }
        return end != begin ? Optional.empty() : of(parts, text.substring(end + 1));
    }

    private static Optional<WireMessage> of(Map<String, String> parts, String body) {
        String from = parts.getOrDefault("from", "");
        String type = parts.getOrDefault("type", "");
        String id = parts.getOrDefault("id", "");
        return Kind.of(parts.getOrDefault("kind", ""))
                .filter(kind -> isType(from) && isType(type) && (kind == Kind.MESSAGE || isType(id)))
                .map(kind -> new WireMessage(kind, from, type, id, body));
    }
}
