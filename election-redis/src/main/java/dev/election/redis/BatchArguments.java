package dev.election.redis;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The arguments of together.lua. What an election has in common with the one before it, such as the node, travels once: the script leaves
 * what it has at that place. It saves a quarter of the bytes of many campaigns.
 */
final class BatchArguments {

    private static final String SAME = "=";

    private final List<String> all = new ArrayList<>();

    /** The argument that the script has at each place so far. */
    private final Map<Integer, String> held = new HashMap<>();

    BatchArguments(int elections) {
        all.add(Integer.toString(elections));
    }

    /** Those of the next election. */
    void add(String script, String... arguments) {
        all.add(script);
        all.add(Integer.toString(arguments.length));
        for (int place = 0; place < arguments.length; place++) {
            String argument = arguments[place];
            all.add(argument.equals(held.put(place, argument)) ? SAME : literal(argument));
        }
    }

    List<String> all() {
        return all;
    }

    /** Nothing but {@link #SAME} itself means that. */
    private static String literal(String argument) {
        return argument.startsWith(SAME) ? SAME + argument : argument;
    }
}
