package dev.election.redis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The names of the keys of an election. The braces keep all of one election in one slot of a Redis Cluster. */
final class ElectionKeys {

    private static final Pattern PREFIX = Pattern.compile("[A-Za-z0-9._:-]{1,64}");

    private final String prefix;
    private final String channelSuffix;
    private final Map<String, String[]> known = new ConcurrentHashMap<>();

    ElectionKeys(String prefix) {
        this(prefix, 0);
    }

    /** Unlike keys, channels are shared by all databases of a server, so that their number has to tell them apart. */
    ElectionKeys(String prefix, int database) {
        if (!PREFIX.matcher(prefix).matches()) {
            throw new IllegalArgumentException(
                    "The key prefix must be 1 to 64 of A-Z a-z 0-9 . _ : - but is '" + prefix + "'");
        }
        this.prefix = prefix;
        this.channelSuffix = database == 0 ? "" : "@" + database;
    }

    String lease(String election) {
        return key(election, "lease");
    }

    String epoch(String election) {
        return key(election, "epoch");
    }

    String lockDelay(String election) {
        return key(election, "lock-delay");
    }

    String queue(String election) {
        return key(election, "queue");
    }

    String queueExpiry(String election) {
        return key(election, "queue-expiry");
    }

    String history(String election) {
        return key(election, "history");
    }

    String log(String election) {
        return key(election, "log");
    }

    /** The keys of an election in the order in which every script of the protocol expects them. */
    String[] all(String election) {
        return known.computeIfAbsent(
                election, name -> new String[] {
                    lease(name), epoch(name), lockDelay(name), queue(name), queueExpiry(name), history(name)
                });
    }

    String events(String election) {
        return key(election, "events") + channelSuffix;
    }

    private String key(String election, String what) {
        return prefix + ":{" + election + "}:" + what;
    }
}
