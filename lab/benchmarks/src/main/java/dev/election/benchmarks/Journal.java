package dev.election.benchmarks;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The reports of all node processes, in the order in which they arrived. */
final class Journal {

    private final List<Report> reports = new ArrayList<>();

    synchronized void add(Report report) {
        reports.add(report);
        notifyAll();
    }

    /** The present end: what is said later has this index or a higher one. */
    synchronized int end() {
        return reports.size();
    }

    synchronized List<Report> since(int begin, Predicate<Report> wanted) {
        return reports.subList(begin, reports.size()).stream().filter(wanted).toList();
    }

    /** Waits for the first such report from that index on. */
    synchronized Report await(int begin, Duration timeout, String what, Predicate<Report> wanted)
            throws InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            Optional<Report> found = since(begin, wanted).stream().findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            long left = deadline - System.nanoTime();
            if (left <= 0) {
                throw new IllegalStateException(
                        "Not within " + timeout + ": " + what + "; said since: " + since(begin, any -> true));
            }
            TimeUnit.NANOSECONDS.timedWait(this, left);
        }
    }
}
