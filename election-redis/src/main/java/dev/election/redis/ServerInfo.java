package dev.election.redis;

import java.util.Optional;

/** Reads the fields of {@code INFO}, in which products that speak the protocol of Redis name themselves. */
final class ServerInfo {

    private static final String ACTIVE_REPLICA = "active-replica";

    private ServerInfo() {}

    /** The product and its version, by {@code INFO server}; just Redis where it does not say. */
    static String product(String server) {
        Optional<String> redis = value(server, "redis_version");
        // Valkey answers with the version of Redis that it is compatible with, beside its own.
        return named("Valkey", value(server, "valkey_version"))
                .or(() -> named("Dragonfly", value(server, "dragonfly_version")))
                .or(() -> named("Redis Software", value(server, "rlec_version")))
                .or(() -> value(server, "executable")
                        .filter(path -> path.contains("keydb"))
                        .flatMap(path -> named("KeyDB", redis)))
                .or(() -> named("Redis", redis))
                .orElse("Redis");
    }

    /** Whether the server only follows another one, by {@code INFO replication}, whatever the product calls that; empty where it does not say. */
    static Optional<Boolean> isReplica(String replication) {
        return value(replication, "role").map(role -> !role.equals("master") && !role.equals(ACTIVE_REPLICA));
    }

    /** Whether the server accepts writes beside another server that does, as an active replica of KeyDB, by {@code INFO replication}. */
    static boolean isActiveReplica(String replication) {
        return value(replication, "role").filter(ACTIVE_REPLICA::equals).isPresent();
    }

    /** The value of a field. */
    static Optional<String> value(String info, String name) {
        return info.lines()
                .filter(line -> line.startsWith(name + ":"))
                .map(line -> line.substring(name.length() + 1).strip())
                .findFirst();
    }

    private static Optional<String> named(String product, Optional<String> version) {
        return version.map(number -> product + " " + number);
    }
}
