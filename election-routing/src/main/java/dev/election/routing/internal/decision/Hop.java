package dev.election.routing.internal.decision;

import dev.election.FencingToken;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Marks a forwarded request. It forbids to forward the request once more, and grants nothing: a node that leads under the token would serve
 * the request without it, too.
 *
 * @param election the name of the election
 * @param token of the leader to which the request was sent
 */
public record Hop(String election, FencingToken token) {

    /** The request header. */
    public static final String HEADER = "Election-Hop";

    /** The response header by which a sender tells the refusal of its hop from any other 421: the election of the hop. */
    public static final String REFUSED = "Election-Hop-Refused";

    private static final Pattern VALUE = Pattern.compile("([A-Za-z0-9._:-]{1,64})/([1-9][0-9]{0,15})");

    /** The value of the header. */
    public String value() {
        return election + "/" + token.value();
    }

    /** The hop that a value of the header names, {@code null} if it names none. */
    static @Nullable Hop parse(String value) {
        Matcher parts = VALUE.matcher(value);
        if (!parts.matches()) {
            return null;
        }
        try {
            return new Hop(parts.group(1), new FencingToken(Long.parseLong(parts.group(2))));
        } catch (IllegalArgumentException outOfRange) {
            return null;
        }
    }
}
