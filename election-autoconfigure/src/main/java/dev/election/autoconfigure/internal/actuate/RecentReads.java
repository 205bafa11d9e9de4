package dev.election.autoconfigure.internal.actuate;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Reads of the store that are shared by callers who accept an answer of some age: however many ask, the store is read once in that time. A
 * failure is an answer, too. A read that began before this process knew what it knows now is not shared: it may name a leader that this process
 * saw give up since.
 *
 * @param <T> the type of an answer
 */
final class RecentReads<T> {

    private final LongSupplier nanos;
    private final Map<String, Read<T>> latest = new ConcurrentHashMap<>();

    /** Measures by the monotonic clock of this process. */
    RecentReads() {
        this(System::nanoTime);
    }

    RecentReads(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /**
     * The latest answer if its read began no longer ago than that and this process knew the same then, or a new one.
     *
     * @param election which is read
     * @param knowledge of this process about the election, without a read
     * @param maxAge zero for a read of the caller's own
     * @param source reads
     */
    CompletionStage<T> get(String election, Object knowledge, Duration maxAge, Supplier<CompletionStage<T>> source) {
        if (maxAge.isZero()) {
            return source.get();
        }
        return latest.compute(election, (name, known) -> {
                    long now = nanos.getAsLong();
                    return known != null && known.knowledge.equals(knowledge) && now - known.begun < maxAge.toNanos()
                            ? known
                            : new Read<>(now, knowledge, source.get());
                })
                .answer;
    }

    private record Read<T>(long begun, Object knowledge, CompletionStage<T> answer) {}
}
