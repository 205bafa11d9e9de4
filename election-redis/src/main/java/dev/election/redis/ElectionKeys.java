package dev.election.redis;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The names of the keys of an election and of the members, and of the channels. */
final class ElectionKeys {

    private final RedisKeySpace space;
    private final String channelSuffix;
    private final Map<String, String[]> known = new ConcurrentHashMap<>();

    ElectionKeys(String prefix) {
        this(RedisKeySpace.of(prefix), 0);
    }

    /** Unlike keys, channels are shared by all databases of a server, so that their number has to tell them apart. */
    ElectionKeys(RedisKeySpace space, int database) {
        this.space = space;
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

    /** The key of the ledger. The name in Redis is older than the term. */
    String ledger(String election) {
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

    /** The keys of the members in the order in which their scripts expect them, as many as an election has. */
    String[] members() {
        String gone = ofMembers("gone");
        return new String[] {roster(), ofMembers("texts"), ofMembers("ends"), ofMembers("versions"), gone, gone};
    }

    String roster() {
        return ofMembers("roster");
    }

    String memberEvents() {
        return ofMembers("events") + channelSuffix;
    }

    /** The channel for messages to a member. */
    String toMember(String instance) {
        return ofMembers("to:" + instance) + channelSuffix;
    }

    /** The channel for messages to all members. */
    String toAllMembers() {
        return ofMembers("to-all") + channelSuffix;
    }

    /** A key of the members. It stands beside those of elections, none of which may have that name: running nodes know it so. */
    private String ofMembers(String what) {
        return space.key("members", what);
    }

    private String key(String election, String what) {
        return space.key(election, what);
    }
}
