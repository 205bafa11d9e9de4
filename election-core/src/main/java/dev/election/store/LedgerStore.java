package dev.election.store;

import dev.election.FencingToken;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Keeps named texts of a leader for its successors, one ledger an election. A leader that opens the ledger with a newer token shuts out
 * all older ones, so that a leader that was paused can't overwrite the entries of its successor. A ledger is no part of the election: it may
 * be lost, and leading goes on without it.
 *
 * <p>Calls return at once and never throw: whatever goes wrong is a {@link NoAnswer}. Requests of one process are carried out in
 * the order in which they were made, unless the connection breaks between them. Replies may come on any thread, which the
 * receiver must not block.
 */
public interface LedgerStore {

    /** The largest difference that is assumed between the clocks of nodes, by which slots are named. */
    Duration CLOCKS_APART = Duration.ofSeconds(10);

    /**
     * The time after a possible loss of data from which on the store counts as intact again. A slot that was run before the loss may bear a later
     * time, and whoever reads a ledger allows for the clock of a leader that was behind when the ledger was begun.
     */
    Duration AFTER_A_LOSS = CLOCKS_APART.multipliedBy(2);

    /** The time for which a ledger is intact if its store never loses what it acknowledged. */
    Duration ALWAYS = Duration.ofDays(36_500);

    /** A token that no leader has. A change under it is made whichever leader has opened the ledger. */
    FencingToken NEWEST = new FencingToken((1L << 53) - 1);

    /** Opens the ledger for a leader: shuts out older leaders and returns what they have written. */
    CompletionStage<OpenReply> open(String election, FencingToken token);

    /**
     * Changes entries. Once a minute a leader asks by a change of no entry whether the store still has the ledger.
     *
     * @param election the name of the election
     * @param token the token of the leader that writes
     * @param change what to change
     */
    CompletionStage<WriteReply> write(String election, FencingToken token, Change change);

    /** Changes entries without a limit in time. */
    default CompletionStage<WriteReply> write(
            String election, FencingToken token, Map<String, String> put, Set<String> removed) {
        return write(election, token, new Change(put, removed, Set.of(), null));
    }

    /**
     * Makes a change after the store may have lost entries: the leader has opened the ledger again and still led when that was answered, so
     * that nobody else can have written meanwhile, and puts all that it knows. If the change is made, the ledger counts as intact again from
     * the time on that the leader names, unless the store may have lost something since that opening. A store that can't tell that only makes
     * the change.
     *
     * @param intactSince from when on the leader knows all that was written, by the clock of the store
     */
    default CompletionStage<WriteReply> restore(
            String election, FencingToken token, Change change, Instant intactSince) {
        return write(election, token, change);
    }

    /**
     * Adds or replaces entries, whichever leader has opened the ledger. For facts that only this node knows and no leader decides by, such as
     * the end of a job that has outlasted its leadership. The leader that has opened the ledger remains the one that may change it.
     */
    default CompletionStage<WriteReply> amend(String election, Map<String, String> put) {
        return write(election, NEWEST, put, Set.of());
    }

    /** Reads the entries of a ledger without opening it: any node may ask. */
    CompletionStage<ReadReply> read(String election);

    /**
     * Returns other ledgers of the same store, with an opener and entries of their own, for entries that a new leader need not read at first.
     *
     * @param name of letters and hyphens
     */
    LedgerStore beside(String name);

    /** Looks whether this process may open and change the ledger of that election, and changes nothing. */
    default CompletionStage<CheckReply> check(String election) {
        return CompletableFuture.completedFuture(new Usable());
    }

    /**
     * Calls the listener when the store can be reached again after it could not, until the subscription is closed: it may have been restored from
     * an old copy, and lack what it had acknowledged. The call may come more often than that. The listener must not block.
     */
    default LeaseStore.Subscription listen(String election, Runnable reconnected) {
        return () -> {};
    }

    /**
     * A change of a ledger.
     *
     * @param put entries to add or replace
     * @param removed the names of entries to remove
     * @param stamped the names of entries that tell when the change was made, by the clock of the store in milliseconds since 1970. A store
     *     that can only replace a text if it has not changed may stamp the time at which it read the text for this change
     * @param until the time of the store after which the change must not be made any more, {@code null} for none: its leader may be dead by
     *     then. A store that can only replace a text if it has not changed compares the time at which it read the text
     */
    record Change(Map<String, String> put, Set<String> removed, Set<String> stamped, @Nullable Instant until) {

        /** Whether this changes no entry, so that the store only checks whether the leader may change the ledger. */
        public boolean changesNothing() {
            return put.isEmpty() && removed.isEmpty() && stamped.isEmpty();
        }
    }

    /** The outcome of a look at a ledger. */
    sealed interface CheckReply permits Usable, NoAnswer {}

    /** The ledger can be opened and changed, or made if there is none. */
    record Usable() implements CheckReply {}

    /** The reply to a request to read a ledger. */
    sealed interface ReadReply permits Contents, NoAnswer {}

    /**
     * The contents of a ledger.
     *
     * @param entries all of them, none if there is no ledger
     */
    record Contents(Map<String, String> entries) implements ReadReply {}

    /** The reply to a request to open a ledger. */
    sealed interface OpenReply permits Opened, Superseded, NoAnswer {}

    /** The reply to a change of a ledger. */
    sealed interface WriteReply permits Written, TooLate, Forgotten, Superseded, NoAnswer {}

    /**
     * The ledger is open.
     *
     * @param entries all that is in it
     * @param known whether the ledger has ever been opened before, as far as the store remembers
     * @param intactFor for how long the ledger has certainly not lost anything that was written: a store that is back with an old copy of its data
     *     may have lost what was written before; {@link #ALWAYS} if it never can. Negative: it will be intact only after
     *     that time. For a ledger that is not known, for how long the store has not been restarted or replaced
     * @param at the real time of the store, or of this node if the store has no clock
     */
    record Opened(Map<String, String> entries, boolean known, Duration intactFor, Instant at) implements OpenReply {}

    /**
     * The change was made.
     *
     * @param at when, by the clock of the store, or of this node if the store has none; the time that was stamped
     */
    record Written(Instant at) implements WriteReply {}

    /**
     * The time until which the change might be made was over. Nothing changed.
     *
     * @param at when the store found so, by the same clock
     */
    record TooLate(Instant at) implements WriteReply {}

    /**
     * The store has lost the ledger, or what was written since an older leader opened it, which it then shows as the last opener. Nothing
     * changed: open it again and write all of it.
     */
    record Forgotten() implements WriteReply {}

    /** A newer leader has opened the ledger. Nothing changed, and nothing ever will for this one. */
    record Superseded() implements OpenReply, WriteReply {}
}
