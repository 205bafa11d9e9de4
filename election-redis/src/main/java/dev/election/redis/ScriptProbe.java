package dev.election.redis;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reply of probe.lua: which commands by which scripts learn about the server it refuses to them, and what it says.
 *
 * @param refused the commands that a script may not run, with the error of the server
 * @param server what {@code INFO server} says to a script
 * @param replication what {@code INFO replication} says to a script
 */
record ScriptProbe(Map<String, String> refused, String server, String replication) {

    private static final List<String> COMMANDS = List.of("TIME", "INFO");

    /** Reads the reply of probe.lua. */
    static ScriptProbe parse(List<String> reply) {
        Map<String, String> refused = new LinkedHashMap<>();
        for (int i = 0; i < COMMANDS.size(); i++) {
            String error = reply.get(i + 1);
            if (!error.isEmpty()) {
                refused.put(COMMANDS.get(i), error);
            }
        }
        return new ScriptProbe(refused, reply.get(COMMANDS.size() + 1), reply.get(COMMANDS.size() + 2));
    }
}
