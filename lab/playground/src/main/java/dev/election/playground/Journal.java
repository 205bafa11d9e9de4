package dev.election.playground;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The log lines of all replicas and the actions upon them, in the order in which they arrived, and the slots that have run. */
final class Journal {

    private static final int KEPT = 200;

    /** Log lines of {@code DigestJob}, {@code ReportJob} and {@code CleanupJob}. */
    private static final Pattern JOB = Pattern.compile("Digest of .*|Report \\d+ of this replica begins.*|Cleaning up");

    private static final Pattern DIGEST = Pattern.compile("Digest of (\\S+), fencing token");

    /** Log lines of {@code LeadershipNews}. */
    private static final Pattern LEADERSHIP = Pattern.compile("This node (became|lost) the leader.*");

    private final Consumer<String> console;
    private final Deque<Entry> jobs = new ArrayDeque<>();
    private final Deque<Entry> events = new ArrayDeque<>();
    private final NavigableMap<Instant, Integer> runsOfSlots = new TreeMap<>();

    Journal(Consumer<String> console) {
        this.console = console;
    }

    /** Hears a line that a replica has logged. */
    synchronized void hear(String replica, String line) {
        console.accept(replica + " | " + line);
        Matcher leadership = LEADERSHIP.matcher(line);
        if (leadership.find()) {
            add(events, replica, leadership.group());
        }
        Matcher job = JOB.matcher(line);
        if (job.find()) {
            add(jobs, replica, job.group());
        }
        Matcher digest = DIGEST.matcher(line);
        if (digest.find()) {
            runsOfSlots.merge(Instant.parse(digest.group(1)), 1, Integer::sum);
        }
    }

    /** Notes what the playground has done. */
    synchronized void note(String subject, String event) {
        console.accept("playground | " + subject + " " + event);
        add(events, subject, event);
    }

    /** The latest last. */
    synchronized List<Entry> jobs() {
        return List.copyOf(jobs);
    }

    /** The latest last. */
    synchronized List<Entry> events() {
        return List.copyOf(events);
    }

    synchronized Slots slots() {
        if (runsOfSlots.isEmpty()) {
            return new Slots(0, 0, 0);
        }
        Duration covered = Duration.between(runsOfSlots.firstKey(), runsOfSlots.lastKey());
        long due = covered.dividedBy(Machine.DIGEST_PERIOD) + 1;
        long twice = runsOfSlots.values().stream().filter(runs -> runs > 1).count();
        return new Slots(runsOfSlots.size(), twice, due - runsOfSlots.size());
    }

    private static void add(Deque<Entry> entries, String subject, String text) {
        entries.addLast(new Entry(Instant.now(), subject, text));
        if (entries.size() > KEPT) {
            entries.removeFirst();
        }
    }

    /**
     * @param at when it came here
     * @param subject a replica or Redis
     */
    record Entry(Instant at, String subject, String text) {}

    /**
     * Scheduled times of the digest.
     *
     * @param run how many have run
     * @param twice how many of them more than once
     * @param leftOut how many between the first and the last have not run
     */
    record Slots(int run, long twice, long leftOut) {}
}
