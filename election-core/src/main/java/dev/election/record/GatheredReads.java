package dev.election.record;

import dev.election.record.RecordStore.Failed;
import dev.election.record.RecordStore.ReadOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Implements {@link RecordStore#read} and {@link RecordStore#together} for a store that can answer many reads with few requests: those that wait for
 * a connection are answered by the next one that is free.
 *
 * @param <C> the connection
 */
public final class GatheredReads<C extends KeptConnections.Connection> {

    private final KeptConnections<C> connections;
    private final Reader<C> reader;
    private final Queue<Question> waiting = new ConcurrentLinkedQueue<>();

    /** How many threads are making calls that belong together. */
    private final AtomicInteger batches = new AtomicInteger();

    /** Sends nothing yet. */
    public GatheredReads(KeptConnections<C> connections, Reader<C> reader) {
        this.connections = connections;
        this.reader = reader;
    }

    /** Reads texts on a connection. */
    @FunctionalInterface
    public interface Reader<C> {

        /** Returns the outcome for each of those keys. An exception is the outcome for all. */
        Map<String, ReadOutcome> read(C connection, Set<String> keys) throws Exception;
    }

    /** A read that waits for a connection. */
    private record Question(String key, CompletableFuture<ReadOutcome> answer) {}

    /** Runs calls whose reads wait until all are made. */
    public void together(Runnable calls) {
        batches.incrementAndGet();
        try {
            calls.run();
        } finally {
            batches.decrementAndGet();
            answerWaiting();
        }
    }

    /** Reads a text. */
    public CompletionStage<ReadOutcome> read(String key) {
        Question question = new Question(key, new CompletableFuture<>());
        waiting.add(question);
        if (batches.get() == 0) {
            answerWaiting();
        }
        return question.answer;
    }

    /** Answers all reads that wait by the time that a connection is free. */
    private void answerWaiting() {
        if (waiting.isEmpty()) {
            return;
        }
        List<Question> taken = new ArrayList<>();
        CompletionStage<Void> unused = connections
                .<Function<String, ReadOutcome>>ask(
                        connection -> {
                            take(taken);
                            Set<String> keys = taken.stream().map(Question::key).collect(Collectors.toSet());
                            return keys.isEmpty()
                                    ? Map.<String, ReadOutcome>of()::get
                                    : reader.read(connection, keys)::get;
                        },
                        failure -> {
                            if (taken.isEmpty()) {
                                take(taken);
                            }
                            return key -> new Failed(failure);
                        })
                .thenAccept(outcomes -> taken.forEach(one -> one.answer.complete(outcomes.apply(one.key))));
    }

    private void take(List<Question> taken) {
        for (Question next = waiting.poll(); next != null; next = waiting.poll()) {
            taken.add(next);
        }
    }
}
