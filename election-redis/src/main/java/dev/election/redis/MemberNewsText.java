package dev.election.redis;

import dev.election.members.LeaveReason;
import dev.election.store.MemberEntry;
import dev.election.store.MemberNews;
import java.util.Optional;

/** Reads what the scripts of the members publish. Whoever may publish can send anything: what no script sends is passed over. */
final class MemberNewsText {

    /** A text of 4 kB, and what stands before it. */
    private static final int LONGEST = 8192;

    private static final int LONGEST_NAME = 256;

    private MemberNewsText() {}

    /** Lines: {@code member}, roster, number, instance, then either when it joined and its text, or why it is gone. */
    static Optional<MemberNews> read(String message) {
        String[] part = message.length() > LONGEST ? new String[0] : message.split("\n", 6);
        if (part.length < 5 || !part[0].equals("member") || !isName(part[1]) || !isName(part[3])) {
            return Optional.empty();
        }
        try {
            long number = number(part[2]);
            MemberEntry entry = part.length == 5
                    ? new MemberEntry.Gone(part[3], number, LeaveReason.valueOf(part[4]))
                    : new MemberEntry.Present(part[3], number, number(part[4]), part[5]);
            return Optional.of(new MemberNews.Changed(part[1], entry));
        } catch (IllegalArgumentException notOurs) {
            return Optional.empty();
        }
    }

    private static boolean isName(String text) {
        return !text.isEmpty() && text.length() <= LONGEST_NAME;
    }

    private static long number(String text) {
        long number = Long.parseLong(text);
        if (number < 1) {
            throw new IllegalArgumentException("Not a number of a change: " + number);
        }
        return number;
    }
}
