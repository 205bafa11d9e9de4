package dev.election.record;

import dev.election.StoreProblem;
import dev.election.record.ObservedStore.Observation;
import dev.election.record.ObservedStore.Sending;
import dev.election.record.RecordStore.Conflict;
import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.Origin;
import dev.election.record.RecordStore.Read;
import dev.election.record.RecordStore.Stored;
import dev.election.record.RecordStore.Written;
import dev.election.store.NoAnswer;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A text in a {@link RecordStore} that many nodes change: it is read, decided on, and replaced, again where another node was faster. Each
 * failure is a {@link NoAnswerException}, also that of a change that may have been made in another store than the one that was read.
 *
 * @param <T> the value of the text
 */
final class SharedText<T> {

    /** Each conflict means that another node has got through; so many in a row are a store that is too slow for so many nodes. */
    private static final int LONGEST_CONTENTION = 16;

    private final RecordStore store;
    private final String key;
    private final Function<String, T> parse;
    private final ObservedStore observed;

    /** The text that this process has read or written last; {@code null} if that is unknown. */
    private volatile @Nullable Sight known;

    /** The text that the store has told of last. Guarded by this. */
    private @Nullable Sight told;

    /**
     * Creates it without sending a request yet.
     *
     * @param parse reads the text; a text that can't be read is a {@link NewerFormatException} or an {@link IllegalArgumentException}
     * @param observed the observations of the store by this process
     */
    SharedText(RecordStore store, String key, Function<String, T> parse, ObservedStore observed) {
        this.store = store;
        this.key = key;
        this.parse = parse;
        this.observed = observed;
    }

    /**
     * The text in the store, as this process has read it.
     *
     * @param stored the text, {@code null} if there is none
     * @param origin the store that answered
     * @param sent the observations when the request was sent, or when the store told of it
     * @param isTold whether the store has told of it, at an unknown time before that
     */
    private record Sight(@Nullable Stored stored, Origin origin, Sending sent, boolean isTold) {

        Sight(@Nullable Stored stored, Origin origin, Sending sent) {
            this(stored, origin, sent, false);
        }
    }

    /** Decides a request on the text. May fail with a {@link NoAnswerException}. */
    interface Rule<T, R> {

        /**
         * Decides.
         *
         * @param value the value of the text, {@code null} if there is none
         * @param clock the time of the store when it was read, {@code null} if it has no clock
         * @param seen the store, as this process has seen it
         */
        Step<R> decide(@Nullable T value, @Nullable Instant clock, Observation seen);
    }

    /** The decision of a rule. */
    sealed interface Step<R> {

        /** The text stays as it is. */
        record Answer<R>(R reply) implements Step<R> {}

        /**
         * The text is replaced.
         *
         * @param text the new text; if the store holds it after a conflict, it was written and the answer was lost
         * @param reply the reply then; {@code null} to decide anew on the written text
         */
        record Write<R>(String text, @Nullable Supplier<R> reply) implements Step<R> {}

        /** The text that is known is not enough. */
        record Read<R>() implements Step<R> {}
    }

    <R> CompletionStage<R> change(Rule<T, R> rule) {
        return read(rule, LONGEST_CONTENTION);
    }

    /**
     * Decides a request on the text that is known, if there is one, in a store without a clock, whose time the text would need. A write holds
     * only if the store still has that text.
     *
     * @param onKnown decides on the text that is known; for a {@link Step.Read} the text is read
     * @param rule decides on a text that was read
     */
    <R> CompletionStage<R> change(Rule<T, R> onKnown, Rule<T, R> rule) {
        Sight latest = known;
        return latest == null || latest.stored() == null || latest.origin().clock() != null
                ? change(rule)
                : CompletableFuture.completedFuture(latest).thenCompose(sight -> decideKnown(onKnown, rule, sight));
    }

    private <R> CompletionStage<R> decideKnown(Rule<T, R> onKnown, Rule<T, R> rule, Sight sight) {
        return observed.unlessReplaced(store, sight.origin(), sight.sent(), seen -> {
            Step<R> step;
            try {
                step = decided(onKnown, sight, seen);
            } catch (NoAnswerException unreadable) {
                // The text may have been repaired since.
                step = new Step.Read<>();
            }
            return step instanceof Step.Read
                    ? change(rule)
                    : carryOut(step, rule, sight, seen, false, LONGEST_CONTENTION);
        });
    }

    /** Notes a text that the store has told of. */
    synchronized void know(Read read) {
        told = new Sight(read.stored(), read.origin(), observed.sending(), true);
        known = told;
    }

    /** Notes what a request has found. If the store has told of another text since it was sent, nobody knows which of them is the later one. */
    private synchronized Sight noted(Sight sight) {
        Sight latest = told;
        boolean isUnclear = latest != null
                && latest.sent().at() - sight.sent().at() > 0
                && !Objects.equals(latest.stored(), sight.stored());
        known = isUnclear ? null : sight;
        return sight;
    }

    private <R> CompletionStage<R> read(Rule<T, R> rule, int attempts) {
        Sending sent = observed.sending();
        return NoAnswerException.asked(() -> store.read(key))
                .thenCompose(outcome -> outcome instanceof Read read
                        ? decide(rule, noted(new Sight(read.stored(), read.origin(), sent)), attempts)
                        : failed(((Failed) outcome).answer()));
    }

    private <R> CompletionStage<R> decide(Rule<T, R> rule, Sight sight, int attempts) {
        return observed.unlessReplaced(
                store,
                sight.origin(),
                sight.sent(),
                seen -> carryOut(decided(rule, sight, seen), rule, sight, seen, true, attempts));
    }

    private <R> Step<R> decided(Rule<T, R> rule, Sight sight, Observation seen) {
        Stored stored = sight.stored();
        return rule.decide(
                stored == null ? null : parsed(stored.text()), sight.origin().clock(), seen);
    }

    private <R> CompletionStage<R> carryOut(
            Step<R> step, Rule<T, R> rule, Sight sight, Observation seen, boolean isRead, int attempts) {
        if (step instanceof Step.Answer<R> answer) {
            return CompletableFuture.completedFuture(answer.reply());
        }
        if (observed.isBehind(seen)) {
            // It was read before another answer has shown a newer server.
            return attempts > 1 ? read(rule, attempts - 1) : failed(contended());
        }
        Step.Write<R> write = (Step.Write<R>) step;
        Sending sent = observed.sending();
        return NoAnswerException.asked(() -> store.replace(key, sight.stored(), write.text()))
                .thenCompose(outcome -> {
                    if (outcome instanceof Failed failed) {
                        return failed(failed.answer());
                    }
                    Sight after = noted(
                            outcome instanceof Written written
                                    ? new Sight(written.stored(), written.origin(), sent)
                                    : seen((Conflict) outcome, sent));
                    boolean isWritten = outcome instanceof Written || holds(after, write.text());
                    Supplier<R> reply = write.reply();
                    if (!isWritten || reply == null) {
                        return again(rule, after, attempts);
                    }
                    return observed.unlessReplaced(store, after.origin(), sent, seenAfter -> {
                        if (continues(sight, after)) {
                            return CompletableFuture.completedFuture(reply.get());
                        }
                        // The known text may come from an earlier store, so the rule decides on the text of this one.
                        return isRead ? failed(replaced()) : again(rule, after, attempts);
                    });
                });
    }

    private boolean continues(Sight decided, Sight after) {
        Sending read = decided.isTold() ? null : decided.sent();
        return observed.continues(
                decided.origin().continuity(), read, after.origin().continuity());
    }

    private static Sight seen(Conflict conflict, Sending sent) {
        return new Sight(conflict.current(), conflict.origin(), sent);
    }

    private static boolean holds(Sight sight, String text) {
        return sight.stored() != null && sight.stored().text().equals(text);
    }

    private <R> CompletionStage<R> again(Rule<T, R> rule, Sight sight, int attempts) {
        return attempts > 1 ? decide(rule, sight, attempts - 1) : failed(contended());
    }

    private static NoAnswer replaced() {
        return new NoAnswer(
                StoreProblem.UNREACHABLE, "the store was restarted or replaced between reading and writing");
    }

    private NoAnswer contended() {
        return new NoAnswer(
                StoreProblem.TIMED_OUT,
                "other nodes have changed " + key + " " + LONGEST_CONTENTION + " times meanwhile");
    }

    private T parsed(String text) {
        try {
            return parse.apply(text);
        } catch (NewerFormatException newer) {
            throw new NoAnswerException(new NoAnswer(StoreProblem.NEWER_FORMAT, String.valueOf(newer.getMessage())));
        } catch (IllegalArgumentException unreadable) {
            throw new NoAnswerException(new NoAnswer(
                    StoreProblem.WRONG_TYPE,
                    String.valueOf(unreadable.getMessage()),
                    "the key " + key
                            + " contains something else than these elections write: delete it or let the"
                            + " elections use other keys"));
        }
    }

    private static <R> CompletionStage<R> failed(NoAnswer noAnswer) {
        return CompletableFuture.failedFuture(new NoAnswerException(noAnswer));
    }
}
