package dev.election.redis;

import dev.election.members.LeaveReason;
import dev.election.store.MemberEntry;
import dev.election.store.MemberNews;
import java.util.Optional;

/**
 * Reads the news that the scripts of the members publish. Anyone with the permission to publish can send anything, so all other texts are
 * ignored.
 */
final class MemberNewsText {

    /** Room for a text of 4 kB and the parts before it. */
    private static final int LONGEST = 8192;

    private static final int LONGEST_NAME = 256;

    private MemberNewsText() {}

    /** Reads the lines {@code member}, roster, number, instance, then either the time of joining and the text, or why the member is gone. */
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
