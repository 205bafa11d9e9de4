package dev.election.redis;

import dev.election.record.ElectionRecord;
import java.util.List;
import java.util.Set;

/** A key of an election that holds a value of another type, in the order in which the scripts expect the keys. */
enum SpoiltKey {
    LEASE("hash", "campaign", "renew", "release", "evict", "read"),
    EPOCH("hash", "campaign", "renew", "release", "evict", "read"),
    LOCK_DELAY("string", "campaign", "renew", "release", "evict"),
    QUEUE("zset", "campaign", "release"),
    QUEUE_EXPIRY("zset", "campaign", "release"),
    /** Whatever is wrong with it, the election goes on. */
    HISTORY("list");

    private final String type;
    private final Set<String> refusedBy;

    SpoiltKey(String type, String... refusedBy) {
        this.type = type;
        this.refusedBy = Set.of(refusedBy);
    }

    /** The type that the key should have. */
    String type() {
        return type;
    }

    /** Whether a script can't do without the key. Any other decides as if there were no such key. */
    boolean isRefusedBy(String script) {
        return refusedBy.contains(script);
    }

    ElectionRecord missingIn(ElectionRecord record) {
        boolean isOfQueue = this == QUEUE || this == QUEUE_EXPIRY;
        return new ElectionRecord(
                this == LEASE ? null : record.lease(),
                this == EPOCH ? null : record.epoch(),
                this == LOCK_DELAY ? null : record.lockDelay(),
                isOfQueue ? List.of() : record.queue(),
                this == HISTORY ? List.of() : record.history());
    }
}
