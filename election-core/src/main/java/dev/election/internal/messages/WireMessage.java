package dev.election.internal.messages;

import dev.election.support.OneLine;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A message in the format in which it is sent: a line {@code name=value} for each part, an empty line, and the body as it is. A reader skips parts
 * that it does not know.
 *
 * @param from the instance that sends it
 * @param type names its handler
 * @param id of this question, or of the question that this replies to; empty for a message without a reply
 * @param body for the application
 */
record WireMessage(Kind kind, String from, String type, String id, String body) {

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    /** Most parts that are read: a later version may write more than this one. */
    private static final int MOST_PARTS = 16;

    /** Purpose of a message. */
    enum Kind {
        /** A message whose sender waits for no reply. */
        MESSAGE("message"),
        /** A message whose sender waits for a reply. */
        QUESTION("question"),
        /** Reply of a handler. */
        REPLY("reply"),
        /** Reply that the handler has failed; the body says how. */
        FAILURE("failure"),
        /** Reply that there is no handler of that type. */
        UNKNOWN_TYPE("unknown-type");

        private final String text;

        Kind(String text) {
            this.text = text;
        }

        /** Whether this answers a question. */
        boolean isReply() {
            return this != MESSAGE && this != QUESTION;
        }

        private static Optional<Kind> of(String text) {
            return Arrays.stream(values())
                    .filter(kind -> kind.text.equals(text))
                    .findAny();
        }
    }

    /** Whether a type may have this name. */
    static boolean isType(String name) {
        return NAME.matcher(name).matches();
    }

    /** Returns the reply to this question. */
    WireMessage reply(Kind replyKind, String by, String replyBody) {
        return new WireMessage(replyKind, by, type, id, replyBody);
    }

    /** Returns this message as one of that instance. */
    WireMessage by(String instance) {
        return new WireMessage(kind, instance, type, id, body);
    }

    /** Returns the text that is sent. */
    String text() {
        return "kind=" + kind.text + "\nfrom=" + from + "\ntype=" + type + "\n"
                + (id.isEmpty() ? "" : "id=" + id + "\n") + "\n" + body;
    }

    /** Returns the length of {@link #text} in bytes. */
    int bytes() {
        return text().getBytes(StandardCharsets.UTF_8).length;
    }

    /** Reads a {@link #text}; empty if it is no message. */
    static Optional<WireMessage> read(String text) {
        int end = text.indexOf("\n\n");
        if (end < 0 || text.substring(0, end).lines().count() > MOST_PARTS) {
            return Optional.empty();
        }
        Map<String, String> parts = new HashMap<>();
        OneLine.parts(text.substring(0, end), parts::put);
        return of(parts, text.substring(end + 2));
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
