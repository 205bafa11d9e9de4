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
 * at most once for each call; the retries of a client library are off. Every call is answered in the end. Calls return at once and never
 * throw: whatever goes wrong is a {@link Failed}, and then nobody knows whether the request was carried out, or still will be.
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
     * Whether the store also takes ledgers of leaders: a text of up to 200 kB an election, which is written whole with each job that is
     * recorded. If not, {@link LeaseStore#ledgerStore} is empty. Always the same.
     */
    default boolean keepsLedgers() {
        return true;
    }

    /**
     * Whether members may send messages over this store: each one changes a text, of which watchers are told soon. If not,
     * {@link dev.election.store.MemberStore#messaging} is empty. Always the same.
     */
    default boolean passesMessages() {
        return false;
    }

    /**
     * Whether this process is notified of changes at once at present, and not only within the message delay of the traits. It says so as a
     * member, so that leadership is reserved for it no longer than asked.
     */
    default boolean hearsAtOnce() {
        return false;
    }

    /**
     * Whether a write is compared with the text that the store holds, and not with a copy of it that a server remembers. That may be older than a
     * restore below the server: then a lease is granted only on a text that was read. Always the same.
     */
    default boolean comparesStoredText() {
        return true;
    }

    /** Runs the calls of requests that are made at the same time. A store for which one large read costs less than many small ones overrides it. */
    default void together(Runnable calls) {
        calls.run();
    }

    /** Reads a text. */
    CompletionStage<ReadOutcome> read(String key);

    /**
     * Writes a text if the key still holds the expected one. The condition covers the text itself, since versions repeat: a key that was
     * deleted and made again counts from the beginning in some stores.
     *
     * <p>A request that expects nothing must never be sent a second time, also if its reply is lost: if another client deletes the key between
     * the two, the second would make it again, with an old text.
     *
     * @param key the key
     * @param expected the text that was read, {@code null} if there was none
     * @param text the text to write
     */
    CompletionStage<ReplaceOutcome> replace(String key, @Nullable Stored expected, String text);

    /** Deletes a key if it still holds the expected text. */
    CompletionStage<ReplaceOutcome> delete(String key, Stored expected);

    /** Lists the keys that begin with a prefix, in any order. */
    CompletionStage<ListOutcome> list(String prefix);

    /** Reads all texts whose keys begin with a prefix, with as few requests as possible. A text that is written meanwhile may be missing. */
    CompletionStage<ReadAllOutcome> readAll(String prefix);

    /**
     * Returns where the servers of this store stand, those that answer in time. Called before a lease is granted. Completes at once, and with none,
     * in a store that reaches one server only.
     */
    default CompletionStage<List<Continuity.Line>> look() {
        return CompletableFuture.completedFuture(List.of());
    }

    /**
     * Notifies the store that the server with this proof is older than one that this process has seen, so that none of its answers counts. A store
     * that can reach another server closes the connection, so that the next request looks for the right one.
     */
    default void replaced(Continuity shown) {}

    /**
     * Calls the listener when a key may have changed, until the subscription is closed. A call may be lost, late or repeated. Returns at once,
     * also while the store is away; the subscription begins, and begins again, by itself. When the store can be reached again after it could
     * not, the listener of every key is called with {@link Change#CONNECTION}: the store may be another one by now.
     */
    LeaseStore.Subscription watch(String key, Consumer<Change> listener);

    /** An event for a watcher. */
    sealed interface Change {

        /** The text of the key may be another one, which the store does not say. */
        Change TEXT = new Text(null);

        /** The store can be reached again: earlier news may be lost. */
        Change CONNECTION = new Connection();

        /**
         * The text of the key may be another one.
         *
         * @param read the text if the store says it with its event, as if it had been read then; {@code null} if it has to be read
         */
        record Text(@Nullable Read read) implements Change {}

        /** See {@link #CONNECTION}. */
        record Connection() implements Change {}
    }

    /**
     * A text as it stands in the store.
     *
     * @param text the text
     * @param version the name that the store gives this state of the key; may repeat
     */
    record Stored(String text, String version) {}

    /**
     * The store that carried out a request, and the time.
     *
     * @param clock the real time of the store when it carried the request out, {@code null} if it has no clock
     * @param continuity its proof that it is the same store. A server that takes no writes, such as a standby, gives {@link NoAnswer}
     *     instead, also to a read
     */
    record Origin(@Nullable Instant clock, Continuity continuity) {}

    /** The outcome of reading. */
    sealed interface ReadOutcome permits Read, Failed {}

    /**
     * The key was read.
     *
     * @param stored its text, {@code null} for none
     * @param origin the store that answered
     */
    record Read(@Nullable Stored stored, Origin origin) implements ReadOutcome {}

    /** The outcome of a conditional change. Without an answer it is unknown whether the change was made. */
    sealed interface ReplaceOutcome permits Written, Conflict, Failed {}

    /**
     * The change was made.
     *
     * @param stored the text of the key now, {@code null} for none
     * @param origin the store that answered
     */
    record Written(@Nullable Stored stored, Origin origin) implements ReplaceOutcome {}

    /**
     * The key did not hold the expected text, and nothing was changed.
     *
     * @param current its text, {@code null} for none
     * @param origin the store that answered
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
     * The texts were read.
     *
     * @param stored the texts by key
     * @param origin the store that answered
     */
    record ReadAll(Map<String, Stored> stored, Origin origin) implements ReadAllOutcome {}

    /**
     * There was no answer, or an error.
     *
     * @param answer the reply to a request for the lease
     */
    record Failed(NoAnswer answer) implements ReadOutcome, ReplaceOutcome, ListOutcome, ReadAllOutcome {}
}
