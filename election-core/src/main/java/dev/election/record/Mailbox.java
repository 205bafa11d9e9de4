package dev.election.record;

import dev.election.support.OneLine;
import java.util.ArrayList;
import java.util.List;

/**
 * The latest messages to one member, or to all, as the store has them: a line each.
 *
 * @param messages the oldest first
 */
record Mailbox(List<Message> messages) {

    static final Mailbox EMPTY = new Mailbox(List.of());

    /** The first line of the text, by which it differs from other records. */
    static final String FORMAT = "messages 1";

    /** How many are kept, for how long, and how many characters. Who reads later misses the older ones. */
    private static final int KEPT = 256;

    private static final long LAST_MILLIS = 30_000;
    private static final int LONGEST = 256 * 1024;

    /**
     * A message.
     *
     * @param sender the sending process, by an id that no other has
     * @param number counts the messages of that sender
     * @param millis when it was written, by the clock of the store
     */
    record Message(String sender, long number, long millis, String text) {

        String id() {
            return sender + "." + number;
        }
    }

    /** Reads the text; fails with an {@link IllegalArgumentException} if it is none of messages. */
    static Mailbox read(String text) {
        String[] line = text.split("\n", -1);
        if (!line[0].equals(FORMAT)) {
            throw new IllegalArgumentException("these are no messages");
        }
        List<Message> read = new ArrayList<>();
        for (int i = 1; i < line.length; i++) {
            String[] part = line[i].split(" ", 4);
            if (part.length < 4) {
                throw new IllegalArgumentException("line " + i + " is no message");
            }
            read.add(
                    new Message(part[0], Long.parseLong(part[1]), Long.parseLong(part[2]), OneLine.unescaped(part[3])));
        }
        return new Mailbox(read);
    }

    String write() {
        StringBuilder text = new StringBuilder(FORMAT);
        messages.forEach(one -> text.append('\n')
                .append(one.sender)
                .append(' ')
                .append(one.number)
                .append(' ')
                .append(one.millis)
                .append(' ')
                .append(OneLine.escaped(one.text)));
        return text.toString();
    }

    /** This mailbox with one more message, without those that are too old, too many or too long together. */
    Mailbox with(Message added) {
        List<Message> kept = new ArrayList<>(messages);
        kept.removeIf(one -> one.millis < added.millis - LAST_MILLIS);
        kept.add(added);
        int length = kept.stream().mapToInt(one -> one.text.length()).sum();
        while (kept.size() > KEPT || (length > LONGEST && kept.size() > 1)) {
            length -= kept.remove(0).text.length();
        }
        return new Mailbox(List.copyOf(kept));
    }

    /** The time of the latest message, zero if there is none. */
    long latest() {
        return messages.isEmpty() ? 0 : messages.get(messages.size() - 1).millis;
    }
}
