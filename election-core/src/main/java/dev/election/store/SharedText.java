package dev.election.store;

import dev.election.StoreProblem;
import dev.election.store.RecordStore.Conflict;
import dev.election.store.RecordStore.Origin;
import dev.election.store.RecordStore.Read;
import dev.election.store.RecordStore.Stored;
import dev.election.store.RecordStore.Written;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A text in a {@link RecordStore} that many nodes change: it is read, decided on, and replaced, again where another node was faster. What
 * goes wrong ends in a {@link NoAnswerException}.
 *
 * @param <T> what the text says
 */
final class SharedText<T> {

    /** Each conflict means that another node has got through; so many in a row are a store that is too slow for so many nodes. */
    private static final int LONGEST_CONTENTION = 16;

    private final RecordStore store;
    private final String key;
    private final Function<String, T> parse;

    /**
     * Asks nothing yet.
     *
     * @param parse reads the text; a text that can't be read is a {@link NewerFormatException} or an {@link IllegalArgumentException}
     */
    SharedText(RecordStore store, String key, Function<String, T> parse) {
        this.store = store;
        this.key = key;
        this.parse = parse;
    }

    /** Decides what becomes of the text and of the request. May fail with a {@link NoAnswerException}. */
    interface Rule<T, R> {

        /**
         * Decides.
         *
         * @param value what the text says, {@code null} if there is none
         * @param origin by what store it was read
         */
        Step<R> decide(@Nullable T value, Origin origin);
    }

    /** What a rule has decided. */
    sealed interface Step<R> {

        /** The text stays as it is. */
        record Answer<R>(R reply) implements Step<R> {}

        /**
         * The text is replaced.
         *
         * @param text by which; if it is what the store holds after a conflict, a lost answer was that it was written
         * @param reply what to answer then, by what store it was written; {@code null} to decide anew on what was written
         */
        record Write<R>(String text, @Nullable Function<Origin, R> reply) implements Step<R> {}
    }

    <R> CompletionStage<R> change(Rule<T, R> rule) {
        return NoAnswerException.asked(() -> store.read(key))
                .thenCompose(outcome -> outcome instanceof Read read
                        ? decide(rule, read.stored(), read.origin(), LONGEST_CONTENTION)
                        : failed((NoAnswer) outcome));
    }

    private <R> CompletionStage<R> decide(Rule<T, R> rule, @Nullable Stored stored, Origin origin, int attempts) {
        Step<R> step = rule.decide(stored == null ? null : parsed(stored.text()), origin);
        if (step instanceof Step.Answer<R> answer) {
            return CompletableFuture.completedFuture(answer.reply());
        }
        Step.Write<R> write = (Step.Write<R>) step;
        return NoAnswerException.asked(() -> store.replace(key, stored, write.text()))
                .thenCompose(outcome -> {
                    if (outcome instanceof Written written) {
                        return written(rule, write, written.stored(), written.origin(), attempts);
                    }
                    if (outcome instanceof Conflict conflict) {
                        Stored current = conflict.current();
                        return current != null && current.text().equals(write.text())
                                ? written(rule, write, current, conflict.origin(), attempts)
                                : again(rule, current, conflict.origin(), attempts);
                    }
                    return failed((NoAnswer) outcome);
                });
    }

    private <R> CompletionStage<R> written(
            Rule<T, R> rule, Step.Write<R> write, @Nullable Stored stored, Origin origin, int attempts) {
        Function<Origin, R> reply = write.reply();
        return reply == null
                ? again(rule, stored, origin, attempts)
                : CompletableFuture.completedFuture(reply.apply(origin));
    }

    private <R> CompletionStage<R> again(Rule<T, R> rule, @Nullable Stored stored, Origin origin, int attempts) {
        return attempts > 1
                ? decide(rule, stored, origin, attempts - 1)
                : failed(new NoAnswer(
                        StoreProblem.TIMED_OUT,
                        "other nodes have changed " + key + " " + LONGEST_CONTENTION + " times meanwhile"));
    }

    private T parsed(String text) {
        try {
            return parse.apply(text);
        } catch (NewerFormatException newer) {
            throw new NoAnswerException(new NoAnswer(StoreProblem.NEWER_FORMAT, String.valueOf(newer.getMessage())));
        } catch (IllegalArgumentException unreadable) {
            throw new NoAnswerException(
                    new NoAnswer(
                            StoreProblem.WRONG_TYPE,
                            String.valueOf(unreadable.getMessage()),
                            "the key " + key
                                    + " contains something else than these elections write: delete it or let the elections use other keys"));
        }
    }

    private static <R> CompletionStage<R> failed(NoAnswer noAnswer) {
        return CompletableFuture.failedFuture(new NoAnswerException(noAnswer));
    }
}
