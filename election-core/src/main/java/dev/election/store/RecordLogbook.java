package dev.election.store;

import dev.election.FencingToken;
import dev.election.StoreProblem;
import dev.election.store.RecordStore.Conflict;
import dev.election.store.RecordStore.Read;
import dev.election.store.RecordStore.Stored;
import dev.election.text.OneLine;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Logbooks in a {@link RecordStore}, a key an election: the token in the first line, then each entry's name and value on a line each. */
public final class RecordLogbook implements Logbook {

    private static final int LONGEST_CONTENTION = 16;

    private final RecordStore store;
    private final String prefix;

    /** The latest request for each book. */
    private final Map<String, CompletableFuture<?>> last = new ConcurrentHashMap<>();

    /**
     * Makes the books of one process. Asks nothing yet.
     *
     * @param store where they stand
     * @param prefix what all keys begin with; not that of the leases
     */
    public RecordLogbook(RecordStore store, String prefix) {
        this.store = store;
        this.prefix = prefix;
    }

    @Override
    public CompletionStage<OpenReply> open(String election, FencingToken token) {
        return this.<OpenReply>change(election, book -> {
                    if (book != null && book.token.isNewerThan(token)) {
                        return new Step<>(null, new Superseded());
                    }
                    Map<String, String> entries = book == null ? Map.of() : book.entries;
                    return new Step<>(new Book(token, entries), new Opened(entries, book != null));
                })
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public CompletionStage<WriteReply> write(
            String election, FencingToken token, Map<String, String> put, Set<String> removed) {
        return this.<WriteReply>change(election, book -> {
                    if (book == null) {
                        return new Step<>(null, new Forgotten());
                    }
                    if (book.token.isNewerThan(token)) {
                        return new Step<>(null, new Superseded());
                    }
                    Map<String, String> entries = new TreeMap<>(book.entries);
                    entries.keySet().removeAll(removed);
                    entries.putAll(put);
                    return new Step<>(new Book(book.token, entries), new Written());
                })
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public LeaseStore.Subscription listen(String election, Runnable reconnected) {
        return store.watch(prefix + election, change -> {
            if (change == RecordStore.Change.CONNECTION) {
                reconnected.run();
            }
        });
    }

    /** One request after the other, in the order in which they were made. */
    private <R> CompletionStage<R> inTurn(String election, Supplier<CompletionStage<R>> request) {
        CompletableFuture<R> mine = new CompletableFuture<>();
        CompletableFuture<?> before = last.put(election, mine);
        CompletableFuture<?> turn = before == null ? CompletableFuture.completedFuture(null) : before;
        CompletionStage<Void> unused = turn.handle((done, failed) -> request.get())
                .thenCompose(reply -> reply)
                .handle((reply, failure) -> {
                    if (failure == null) {
                        mine.complete(reply);
                    } else {
                        mine.completeExceptionally(failure);
                    }
                    return null;
                });
        return mine;
    }

    /** What a book becomes, {@code null} for no change, and what to answer. */
    private record Step<R>(@Nullable Book book, R reply) {}

    private <R> CompletionStage<R> change(String election, Function<@Nullable Book, Step<R>> rule) {
        return inTurn(election, () -> NoAnswerException.asked(() -> store.read(prefix + election))
                .thenCompose(outcome -> outcome instanceof Read read
                        ? change(election, rule, read.stored(), LONGEST_CONTENTION)
                        : failed((NoAnswer) outcome)));
    }

    private <R> CompletionStage<R> change(
            String election, Function<@Nullable Book, Step<R>> rule, @Nullable Stored stored, int attempts) {
        Step<R> step;
        try {
            step = rule.apply(stored == null ? null : Book.read(stored.text()));
        } catch (IllegalArgumentException unreadable) {
            return failed(new NoAnswer(StoreProblem.WRONG_TYPE, String.valueOf(unreadable.getMessage())));
        }
        if (step.book == null) {
            return CompletableFuture.completedFuture(step.reply);
        }
        return NoAnswerException.asked(() -> store.replace(prefix + election, stored, step.book.text()))
                .thenCompose(outcome -> {
                    if (outcome instanceof NoAnswer unknown) {
                        return failed(unknown);
                    }
                    if (outcome instanceof Conflict conflict) {
                        return attempts > 1
                                ? change(election, rule, conflict.current(), attempts - 1)
                                : failed(new NoAnswer(
                                        StoreProblem.TIMED_OUT, "other nodes have changed the ledger meanwhile"));
                    }
                    return CompletableFuture.completedFuture(step.reply);
                });
    }

    private static <T> CompletionStage<T> failed(NoAnswer noAnswer) {
        return CompletableFuture.failedFuture(new NoAnswerException(noAnswer));
    }

    private record Book(FencingToken token, Map<String, String> entries) {

        private static final String TOKEN = "token=";

        static Book read(String text) {
            String[] lines = text.split("\n", -1);
            if (!lines[0].startsWith(TOKEN)) {
                throw new IllegalArgumentException("Not a ledger: it begins with " + lines[0]);
            }
            Map<String, String> entries = new TreeMap<>();
            for (int i = 1; i + 1 < lines.length; i += 2) {
                entries.put(OneLine.unescaped(lines[i]), OneLine.unescaped(lines[i + 1]));
            }
            return new Book(new FencingToken(Long.parseLong(lines[0].substring(TOKEN.length()))), entries);
        }

        String text() {
            StringBuilder text = new StringBuilder(TOKEN).append(token).append('\n');
            entries.forEach((name, value) -> text.append(OneLine.escaped(name))
                    .append('\n')
                    .append(OneLine.escaped(value))
                    .append('\n'));
            return text.toString();
        }
    }
}
