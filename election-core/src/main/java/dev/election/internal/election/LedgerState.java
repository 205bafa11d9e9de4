package dev.election.internal.election;

import dev.election.FencingToken;
import dev.election.LeaderState;
import dev.election.StoreProblem;
import dev.election.StoreUnavailableException;
import dev.election.store.LedgerStore;
import dev.election.store.LedgerStore.Contents;
import dev.election.store.LedgerStore.Forgotten;
import dev.election.store.LedgerStore.OpenReply;
import dev.election.store.LedgerStore.Opened;
import dev.election.store.LedgerStore.Superseded;
import dev.election.store.LedgerStore.WriteReply;
import dev.election.store.LedgerStore.Written;
import dev.election.store.NoAnswer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Keeps the state of a leader in a ledger. A leader opens the ledger before it reads or writes, which excludes all earlier leaders. */
public final class LedgerState implements LeaderState {

    private static final String LEDGER = "state";
    private static final String TEXT = "text";
    private static final String WRITER = "writer";
    private static final String AT = "at";

    private final String election;
    private final LedgerStore ledger;
    private final Supplier<Optional<FencingToken>> leadership;
    private final Executor replies;

    /** The latest leadership for which this node has opened the ledger. */
    private volatile @Nullable FencingToken opened;

    /**
     * Creates the state without a request to the store.
     *
     * @param ledgers the ledgers of the store
     * @param leadership the token under which this thread may write, empty if it may not
     * @param replies where the returned stages are completed
     */
    public LedgerState(
            String election, LedgerStore ledgers, Supplier<Optional<FencingToken>> leadership, Executor replies) {
        this.election = election;
        this.ledger = ledgers.beside(LEDGER);
        this.leadership = leadership;
        this.replies = replies;
    }

    @Override
    public CompletionStage<Optional<Saved>> read() {
        Optional<FencingToken> token = leadership.get();
        CompletionStage<Optional<Saved>> saved = token.isEmpty()
                ? readAsAnybody()
                : open(token.get())
                        .thenCompose(reply -> reply instanceof Opened present
                                ? CompletableFuture.completedFuture(saved(present.entries()))
                                : readAsAnybody());
        return saved.whenCompleteAsync((read, failure) -> {}, replies);
    }

    @Override
    public CompletionStage<WriteOutcome> write(String text) {
        int bytes = text.getBytes(StandardCharsets.UTF_8).length;
        if (bytes > MOST_BYTES) {
            throw new IllegalArgumentException("The state of the election '" + election + "' would have " + bytes
                    + " bytes, and may have " + MOST_BYTES
                    + ": keep what is larger elsewhere, under the token (@Fenced)");
        }
        Optional<FencingToken> token = leadership.get();
        return token.isEmpty()
                ? CompletableFuture.completedFuture(WriteOutcome.NOT_LEADER)
                : write(token.get(), text).whenCompleteAsync((written, failure) -> {}, replies);
    }

    private CompletionStage<WriteOutcome> write(FencingToken token, String text) {
        return token.equals(opened)
                ? writeOpened(token, text)
                        .thenCompose(reply -> reply instanceof Forgotten
                                ? openAndWrite(token, text)
                                : CompletableFuture.completedFuture(outcome(reply)))
                : openAndWrite(token, text);
    }

    private CompletionStage<WriteOutcome> openAndWrite(FencingToken token, String text) {
        return open(token)
                .thenCompose(reply -> reply instanceof Superseded
                        ? CompletableFuture.completedFuture(WriteOutcome.SUPERSEDED)
                        : writeOpened(token, text).thenApply(LedgerState::outcome));
    }

    private CompletionStage<WriteReply> writeOpened(FencingToken token, String text) {
        return ledger.write(
                election,
                token,
                new LedgerStore.Change(Map.of(TEXT, text, WRITER, token.toString()), Set.of(), Set.of(AT), null));
    }

    private CompletionStage<OpenReply> open(FencingToken token) {
        return ledger.open(election, token).thenApply(reply -> {
            if (reply instanceof NoAnswer failure) {
                throw unavailable(failure);
            }
            if (reply instanceof Opened) {
                opened = token;
            }
            return reply;
        });
    }

    private CompletionStage<Optional<Saved>> readAsAnybody() {
        return ledger.read(election).thenApply(reply -> {
            if (reply instanceof NoAnswer failure) {
                throw unavailable(failure);
            }
            return saved(((Contents) reply).entries());
        });
    }

    private static WriteOutcome outcome(WriteReply reply) {
        if (reply instanceof NoAnswer failure) {
            throw unavailable(failure);
        }
        if (reply instanceof Written) {
            return WriteOutcome.WRITTEN;
        }
        if (reply instanceof Superseded) {
            return WriteOutcome.SUPERSEDED;
        }
        throw unavailable(new NoAnswer(StoreProblem.UNKNOWN, "the store has lost the state right after it was opened"));
    }

    private static Optional<Saved> saved(Map<String, String> entries) {
        String text = entries.get(TEXT);
        return text == null
                ? Optional.empty()
                : Optional.of(new Saved(
                        text,
                        new FencingToken(number(entries.get(WRITER))),
                        Instant.ofEpochMilli(number(entries.get(AT)))));
    }

    private static long number(@Nullable String written) {
        try {
            return written == null ? 0 : Long.parseLong(written);
        } catch (NumberFormatException unreadable) {
            return 0;
        }
    }

    private static StoreUnavailableException unavailable(NoAnswer failure) {
        return new StoreUnavailableException(failure.problem(), failure.detail(), failure.action());
    }
}
