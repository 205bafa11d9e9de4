package dev.election.record;

import dev.election.store.LeaseStore;
import dev.election.store.NoAnswer;
import dev.election.store.StoreTraits;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A store that can read a text, and replace it if it has not changed: {@link RecordLeaseStore} makes leases of that. A request is carried out
 * at most once for each call; the retries of a client library are off. Every call is answered in the end. Calls return at once and never throw: whatever goes wrong is a
 * {@link Failed}, and then nobody knows whether the request was carried out, or still will be.
 *
 * <p>Every implementation passes {@code RecordStoreContract}.
 */
public interface RecordStore {

    /** The properties of this store. */
    StoreTraits traits();

    /** The address of this store for the log and for health, without credentials. Known before the store can be reached. */
    default String location() {
        return traits().name();
    }

    /**
     * Whether the store also takes what leaders write down for their successors: a text of up to 200 kB an election, which is written whole with each
     * job that is recorded. If not, {@link LeaseStore#ledgerStore} is empty. Always the same.
     */
    default boolean keepsLedgers() {
        return true;
    }

    /**
     * Whether this process hears of changes at once at present, and not only within the message delay of the traits. It says so as a member, so that
     * leadership is reserved for it no longer than asked.
     */
    default boolean hearsAtOnce() {
        return false;
    }

    /** Reads a text. */
    CompletionStage<ReadOutcome> read(String key);

    /**
     * Writes a text if the key still holds what is expected. The condition covers the text itself, since versions repeat: a key that was
     * deleted and made again counts from the beginning in some stores.
     *
     * <p>A request that expects nothing must never be sent a second time, also if its reply is lost: if another client deletes the key between
     * the two, the second would make it again, with an old text.
     *
     * @param key which
     * @param expected what was read, {@code null} if there was nothing
     * @param text what to write
     */
    CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text);

    /** Deletes a key if it still holds what is expected. */
    CompletionStage<ReplaceOutcome> delete(String key, Stored expected);

    /** The keys that begin with a prefix. */
    CompletionStage<ListOutcome> list(String prefix);

    /** Reads all texts whose keys begin with a prefix, with as few requests as possible. A text that is written meanwhile may be missing. */
    CompletionStage<ReadAllOutcome> readAll(String prefix);

    /**
     * Looks where all servers of this store stand. It is asked before a lease is granted, and completes with those that answer in time; at once and
     * with none in a store that reaches one server only.
     */
    default CompletionStage<List<Continuity.Line>> look() {
        return CompletableFuture.completedFuture(List.of());
    }

    /**
     * Hears that the server which has shown this is older than one that this process has seen, so that nothing counts that it answers. A store
     * that can reach another server closes the connection, so that the next request looks for the right one.
     */
    default void superseded(Continuity shown) {}

    /**
     * Tells that a key may have changed, until the subscription is closed. It is news and not the truth: it may be lost, late or repeated.
     * Returns at once, also while the store is away; comes about, and comes back, by itself. Tells of every watched key, and that
     * the store may be another one by now, when the store can be reached again after it could not.
     */
    LeaseStore.Subscription watch(String key, Consumer<Change> listener);

    /** An event for a watcher. */
    enum Change {
        /** The text of the key. */
        TEXT,
        /** The store can be reached again: earlier news may be lost. */
        CONNECTION
    }

    /**
     * A text as it stands in the store.
     *
     * @param text the text
     * @param version what the store calls this state of the key; may repeat
     */
    record Stored(String text, String version) {}

    /**
     * By what store, and when, a request was carried out.
     *
     * @param clock the real time of the store when it carried the request out, {@code null} if it has no clock
     * @param continuity by what it is known. A server that takes no writes, such as a standby, gives {@link NoAnswer} instead, also to a read
     */
    record Origin(@Nullable Instant clock, Continuity continuity) {}

    /** The outcome of reading. */
    sealed interface ReadOutcome permits Read, Failed {}

    /**
     * It was read.
     *
     * @param stored what the key holds, {@code null} for nothing
     * @param origin by what store
     */
    record Read(@Nullable Stored stored, Origin origin) implements ReadOutcome {}

    /** The outcome of a conditional change. Without an answer it is unknown whether the change was made. */
    sealed interface ReplaceOutcome permits Written, Conflict, Failed {}

    /**
     * The change was made.
     *
     * @param stored what the key holds now, {@code null} for nothing
     * @param origin by what store
     */
    record Written(@Nullable Stored stored, Origin origin) implements ReplaceOutcome {}

    /**
     * The key did not hold what was expected, and nothing was changed.
     *
     * @param current what it holds, {@code null} for nothing
     * @param origin by what store
     */
    record Conflict(@Nullable Stored current, Origin origin) implements ReplaceOutcome {}

    /** The outcome of a query for keys. */
    sealed interface ListOutcome permits Listed, Failed {}

    /**
     * The keys.
     *
     * @param keys in no order
     */
    record Listed(List<String> keys) implements ListOutcome {}

    /** The outcome of reading all texts under a prefix. */
    sealed interface ReadAllOutcome permits ReadAll, Failed {}

    /**
     * They were read.
     *
     * @param stored what the keys hold, by key
     * @param origin by what store
     */
    record ReadAll(Map<String, Stored> stored, Origin origin) implements ReadAllOutcome {}

    /**
     * There was no answer, or an error.
     *
     * @param answer what a request for the lease is answered with
     */
    record Failed(NoAnswer answer) implements ReadOutcome, ReplaceOutcome, ListOutcome, ReadAllOutcome {}
}
