package dev.election.store;

import dev.election.FencingToken;
import dev.election.store.SharedText.Step;
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
                        return new Step.Answer<>(new Superseded());
                    }
                    Map<String, String> entries = book == null ? Map.of() : book.entries;
                    OpenReply opened = new Opened(entries, book != null);
                    return new Step.Write<>(new Book(token, entries).text(), writer -> opened);
                })
                .exceptionally(NoAnswerException::reply);
    }

    @Override
    public CompletionStage<WriteReply> write(
            String election, FencingToken token, Map<String, String> put, Set<String> removed) {
        return this.<WriteReply>change(election, book -> {
                    if (book == null) {
                        return new Step.Answer<>(new Forgotten());
                    }
                    if (book.token.isNewerThan(token)) {
                        return new Step.Answer<>(new Superseded());
                    }
                    Map<String, String> entries = new TreeMap<>(book.entries);
                    entries.keySet().removeAll(removed);
                    entries.putAll(put);
                    return new Step.Write<>(new Book(book.token, entries).text(), writer -> new Written());
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

    private <R> CompletionStage<R> change(String election, Function<@Nullable Book, Step<R>> rule) {
        SharedText<Book> text = new SharedText<>(store, prefix + election, Book::read);
        return inTurn(election, () -> text.change((book, origin) -> rule.apply(book)));
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
