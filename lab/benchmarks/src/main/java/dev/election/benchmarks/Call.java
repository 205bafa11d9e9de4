package dev.election.benchmarks;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A command that Redis has executed, as {@code MONITOR} shows it.
 *
 * @param micros when, by the clock of Redis
 * @param isInScript whether a script called it, and not a client
 * @param command its name, in upper case as our scripts write it
 * @param arguments the first of its arguments, quoted
 */
public record Call(long micros, boolean isInScript, String command, String arguments) {

    private static final Pattern LINE = Pattern.compile("\\+?(\\d+)\\.(\\d{6}) \\[\\d+ ([^]]+)] \"([^\"]*)\"(.*)");
    private static final Pattern ELECTION = Pattern.compile("\\{([^}]+)}");

    /** More of them is not needed to know the call, and a script has many. */
    private static final int LONGEST = 200;

    /** Reads a line of MONITOR; nothing if it is something else. */
    static Optional<Call> read(String line) {
        Matcher found = LINE.matcher(line.length() > LONGEST ? line.substring(0, LONGEST) : line);
        if (!found.matches()) {
            return Optional.empty();
        }
        long micros = Long.parseLong(found.group(1)) * 1_000_000 + Long.parseLong(found.group(2));
        String name = found.group(4).toUpperCase(Locale.ROOT);
        return Optional.of(new Call(micros, found.group(3).equals("lua"), name, found.group(5)));
    }

    /** Whether a candidate of this library has just asked for a lease: it was granted the lease, or was given a place in the queue. */
    boolean isCampaign() {
        return isInScript
                && (command.equals("ZRANK") || (command.equals("PUBLISH") && arguments.contains("\"acquired\\n")));
    }

    /** The election of the key or channel that it names. */
    String election() {
        Matcher found = ELECTION.matcher(arguments);
        return found.find() ? found.group(1) : "";
    }
}
