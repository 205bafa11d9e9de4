package dev.election.redis.bridge;

import dev.election.Election;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The names and times of the old scheduler, and the election that replaces it.
 *
 * @param election the name of the election
 * @param key the key that holds the id of the old master
 * @param lock the Redisson lock under which the old nodes elect
 * @param ttl how long the key lives after an old node has written or renewed it
 * @param database the number of the database of both keys, {@code null} for that of the elections
 * @param format how the id of a node is written into the key
 */
public record BridgeSettings(
        String election, String key, String lock, Duration ttl, @Nullable Integer database, ValueFormat format) {

    /** The name of the lock unless said. */
    public static final String DEFAULT_LOCK = "MASTER_ELECTION_LOCK";

    /** How long the key lives unless said. */
    public static final Duration DEFAULT_TTL = Duration.ofSeconds(60);

    public BridgeSettings {
        requireName(Setting.KEY, "key", key);
        requireName(Setting.LOCK, "lock", lock);
        OldKey.requireSlot(key);
        if (key.equals(lock)) {
            throw new InvalidSetting(
                    Setting.LOCK, "The key and the lock of the old scheduler can't both be '" + key + "'");
        }
        if (ttl.compareTo(Duration.ofSeconds(1)) < 0 || ttl.compareTo(Duration.ofDays(1)) > 0) {
            throw new InvalidSetting(
                    Setting.TTL,
                    "The time to live of the old key must be between 1 s and 1 d, but is " + ReadableDuration.of(ttl));
        }
        if (database != null && database < 0) {
            throw new InvalidSetting(
                    Setting.DATABASE, "The number of a database can't be negative, but is " + database);
        }
    }

    /** Creates settings for the default election, with the lock, time to live and format that the old scheduler has by default. */
    public static BridgeSettings of(String key) {
        return new BridgeSettings(Election.DEFAULT, key, DEFAULT_LOCK, DEFAULT_TTL, null, ValueFormat.AUTO);
    }

    /** Returns these settings for another election. */
    public BridgeSettings election(String other) {
        return new BridgeSettings(other, key, lock, ttl, database, format);
    }

    /** Returns these settings with another lock. */
    public BridgeSettings lock(String other) {
        return new BridgeSettings(election, key, other, ttl, database, format);
    }

    /** Returns these settings with another time to live. */
    public BridgeSettings ttl(Duration other) {
        return new BridgeSettings(election, key, lock, other, database, format);
    }

    /** Returns these settings with another database. */
    public BridgeSettings database(int other) {
        return new BridgeSettings(election, key, lock, ttl, other, format);
    }

    /** Returns these settings with another format. */
    public BridgeSettings format(ValueFormat other) {
        return new BridgeSettings(election, key, lock, ttl, database, other);
    }

    /**
     * Refuses a key that could end while a leader still believes.
     *
     * @param lease the lease of the election
     * @throws IllegalArgumentException if the key does not live for at least a tenth and a second longer than the lease
     */
    void requireLongerThan(Duration lease) {
        // The old nodes may read whole seconds, and take the key for ended in its last half second.
        if (ttl.compareTo(lease.multipliedBy(11).dividedBy(10).plusSeconds(1)) < 0) {
            throw new InvalidSetting(
                    Setting.TTL,
                    "The time to live of the old key must be at least a tenth and a second longer than the lease of election '"
                            + election + "', which is "
                            + ReadableDuration.of(lease) + ", but is " + ReadableDuration.of(ttl)
                            + ": set a shorter lease while the bridge is in use");
        }
    }

    private static void requireName(Setting setting, String what, String name) {
        if (name.isBlank()) {
            throw new InvalidSetting(setting, "The name of the " + what + " of the old scheduler can't be empty");
        }
    }

    /** A setting that may have an invalid value. */
    public enum Setting {
        /** The old key. */
        KEY,
        /** The old lock. */
        LOCK,
        /** The time to live of the old key. */
        TTL,
        /** The number of the database. */
        DATABASE
    }

    /** Thrown for an invalid value of a setting. */
    public static final class InvalidSetting extends IllegalArgumentException {

        private static final long serialVersionUID = 1L;

        private final Setting setting;

        InvalidSetting(Setting setting, String problem) {
            super(problem);
            this.setting = setting;
        }

        /** The setting. */
        public Setting setting() {
            return setting;
        }
    }
}
