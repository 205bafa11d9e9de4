package com.example.sample.testing;

import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** What a process has printed, with the time at which each line arrived. */
public final class Console {

    private final String process;
    private final List<Line> lines = new ArrayList<>();
    private boolean ended;

    Console(String process) {
        this.process = process;
    }

    /** The first line that contains this, now or within that time. */
    public Line await(String part, Duration within) {
        return await(0, part, line -> line.contains(part), within);
    }

    /** The first such line that comes after the given one. */
    public Line awaitAfter(Line earlier, String part, Duration within) {
        return await(earlier.number() + 1, part, line -> line.contains(part), within);
    }

    /** The first such line that comes from now on. */
    public Line awaitNext(String part, Duration within) {
        int from;
        synchronized (this) {
            from = lines.size();
        }
        return await(from, part, line -> line.contains(part), within);
    }

    /** The first line that contains one of the two. */
    public Line awaitEither(String one, String other, Duration within) {
        return await(0, one + "' or '" + other, line -> line.contains(one) || line.contains(other), within);
    }

    /** All lines so far that contain this. */
    public synchronized List<Line> all(String part) {
        return lines.stream().filter(line -> line.text().contains(part)).toList();
    }

    /** All lines so far that contain this and came after the given one. */
    public synchronized List<Line> allAfter(Line earlier, String part) {
        return lines.stream()
                .skip(earlier.number() + 1L)
                .filter(line -> line.text().contains(part))
                .toList();
    }

    /** Waits until nothing more can come, because the process has ended. */
    public synchronized void awaitEnd(Duration within) {
        long begun = System.nanoTime();
        while (!ended) {
            long left = within.toNanos() - (System.nanoTime() - begun);
            if (left <= 0) {
                throw new AssertionError("No end within " + within + " of " + this);
            }
            waitFor(left);
        }
    }

    @Override
    public synchronized String toString() {
        return lines.stream().map(Line::text).collect(Collectors.joining("\n  ", process + ":\n  ", "\n"));
    }

    private synchronized Line await(int from, String what, Predicate<String> wanted, Duration within) {
        long begun = System.nanoTime();
        while (true) {
            Optional<Line> found = lines.stream()
                    .skip(from)
                    .filter(line -> wanted.test(line.text()))
                    .findFirst();
            if (found.isPresent()) {
                return found.get();
            }
            long left = within.toNanos() - (System.nanoTime() - begun);
            if (left <= 0 || ended) {
                throw new AssertionError("No line with '" + what + "' "
                        + (ended ? "before the end" : "within " + within) + " from " + this);
            }
            waitFor(left);
        }
    }

    private void waitFor(long nanos) {
        try {
            TimeUnit.NANOSECONDS.timedWait(this, nanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("Interrupted while reading " + process, e);
        }
    }

    synchronized void add(String text) {
        lines.add(new Line(lines.size(), System.nanoTime(), text));
        notifyAll();
    }

    /** The process has ended. */
    synchronized void end() {
        ended = true;
        notifyAll();
    }

    /**
     * @param number counted from 0
     * @param nanos when it arrived, by {@link System#nanoTime()}
     * @param text without its end
     */
    public record Line(int number, long nanos, String text) {

        /** How long after that moment of {@link System#nanoTime()} it arrived. */
        public Duration since(long moment) {
            return Duration.ofNanos(nanos - moment);
        }

        /** When the process logged it: to be compared between processes, whoever's output was read first. */
        public Instant loggedAt() {
            return OffsetDateTime.parse(text.substring(0, text.indexOf(' '))).toInstant();
        }

        /** The fencing token at its end. */
        public long token() {
            return Long.parseLong(text.substring(text.lastIndexOf(' ') + 1));
        }
    }
}
