package dev.election.benchmarks;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;

/** Durations of one kind. */
final class Samples {

    private final List<Long> nanos = new ArrayList<>();

    void add(long duration) {
        nanos.add(duration);
    }

    @Override
    public String toString() {
        if (nanos.isEmpty()) {
            return "nothing";
        }
        List<Long> sorted = new ArrayList<>(nanos);
        Collections.sort(sorted);
        return String.format(
                Locale.ROOT,
                "median %s, p99 %s, max %s, n %d",
                millis(quantile(sorted, 0.5)),
                millis(quantile(sorted, 0.99)),
                millis(quantile(sorted, 1)),
                sorted.size());
    }

    static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / 1e6);
    }

    /** The smallest sample that at least this share does not exceed. */
    private static long quantile(List<Long> sorted, double share) {
        return sorted.get(Math.max(0, (int) Math.ceil(share * sorted.size()) - 1));
    }
}
