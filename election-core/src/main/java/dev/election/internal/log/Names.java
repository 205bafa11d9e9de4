package dev.election.internal.log;

import java.util.Collection;
import java.util.Comparator;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Lists names of elections in a line of the log. */
public final class Names {

    private static final int MOST = 60;

    private static final Pattern NUMBER = Pattern.compile("[0-9]+");

    /** Longest name of an election. */
    private static final int LONGEST = 64;

    private Names() {}

    /**
     * Lists names in quotes, with numbers in the order of their values, and at most as many as a line can hold.
     *
     * @param remark returns the text behind a name; may be empty
     */
    public static String listed(Collection<String> elections, UnaryOperator<String> remark) {
        int more = elections.size() - MOST;
        return elections.stream()
                .sorted(Comparator.comparing(Names::withEqualNumbers))
                .limit(MOST)
                .map(name -> "'" + name + "'" + remark.apply(name))
                .collect(Collectors.joining(", ", "", more > 0 ? " and " + more + " more" : ""));
    }

    /** Returns the name with all numbers padded to the same length. */
    private static String withEqualNumbers(String name) {
        return NUMBER.matcher(name)
                .replaceAll(number -> "0".repeat(LONGEST - number.group().length()) + number.group());
    }
}
