package dev.election.record;

import dev.election.store.NoAnswer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Gathers the requests of a process for a store that can answer many of them at once: those that wait for a connection are carried out by the
 * next one that is free. Implements {@link RecordStore#together}.
 *
 * @param <C> the connection
 * @param <R> the request
 * @param <A> the answer to one
 */
public final class GatheredRequests<C extends KeptConnections.Connection, R, A> {

    private final KeptConnections<C> connections;
    private final Carrier<C, R, A> carrier;
    private final BiPredicate<List<R>, R> fits;
    private final Function<NoAnswer, A> failed;
    private final Queue<Question<R, A>> waiting = new ConcurrentLinkedQueue<>();

    /** The requests of each thread that is making calls which belong together. Another store has its own, and each is removed after the calls. */
    @SuppressWarnings("ThreadLocalUsage")
    private final ThreadLocal<@Nullable List<Question<R, A>>> together = new ThreadLocal<>();

    /**
     * Sends nothing yet.
     *
     * @param fits whether one more request can be carried out at once with those
     * @param failed makes the answer to a request that has failed
     */
    public GatheredRequests(
            KeptConnections<C> connections,
            Carrier<C, R, A> carrier,
            BiPredicate<List<R>, R> fits,
            Function<NoAnswer, A> failed) {
        this.connections = connections;
        this.carrier = carrier;
        this.fits = fits;
        this.failed = failed;
    }

    /** Carries out requests on a connection. */
    @FunctionalInterface
    public interface Carrier<C, R, A> {

        /** Returns the answers in the order of the requests. An exception is the answer to all. */
        List<A> carry(C connection, List<R> requests) throws Exception;
    }

    /** A request that waits for a connection. */
    private record Question<R, A>(R request, CompletableFuture<A> answer) {}

    /** Runs calls whose requests wait until all are made. */
    public void together(Runnable calls) {
        if (together.get() != null) {
            calls.run();
            return;
        }
        List<Question<R, A>> asked = new ArrayList<>();
        together.set(asked);
        try {
            calls.run();
        } finally {
            together.remove();
            waiting.addAll(asked);
            carryWaiting();
        }
    }

    /** Carries out a request. */
    public CompletionStage<A> ask(R request) {
        Question<R, A> question = new Question<>(request, new CompletableFuture<>());
        List<Question<R, A>> asked = together.get();
        if (asked != null) {
            asked.add(question);
        } else {
            waiting.add(question);
            carryWaiting();
        }
        return question.answer;
    }

    /** Carries out all requests that wait by the time that a connection is free. */
    private void carryWaiting() {
        if (waiting.isEmpty()) {
            return;
        }
        List<Question<R, A>> taken = new ArrayList<>();
        CompletionStage<Void> unused = connections
                .<List<A>>ask(
                        connection -> {
                            take(taken);
                            return taken.isEmpty() ? List.of() : carrier.carry(connection, requests(taken));
                        },
                        failure -> {
                            if (taken.isEmpty()) {
                                take(taken);
                            }
                            return Collections.nCopies(taken.size(), failed.apply(failure));
                        })
                .thenAccept(answers -> answer(taken, answers));
    }

    /** Takes those that wait and fit. The others are carried out by another connection, or next. */
    private void take(List<Question<R, A>> taken) {
        synchronized (waiting) {
            for (Question<R, A> next = waiting.peek(); next != null; next = waiting.peek()) {
                if (!taken.isEmpty() && !fits.test(requests(taken), next.request)) {
                    break;
                }
                taken.add(waiting.remove());
            }
        }
        carryWaiting();
    }

    private static <R, A> List<R> requests(List<Question<R, A>> questions) {
        return questions.stream().map(Question::request).toList();
    }

    /** Answers the requests. What is asked because of an answer is gathered, too. */
    private void answer(List<Question<R, A>> asked, List<A> answers) {
        together(() -> {
            for (int i = 0; i < asked.size(); i++) {
                asked.get(i).answer.complete(answers.get(i));
            }
        });
    }
}
