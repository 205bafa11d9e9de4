package dev.election.jobs.history;

import dev.election.FencingToken;
import dev.election.jobs.JobRun;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A run as the store has it: an entry whose name gives the order of the runs of a job, whatever the clocks of their nodes say.
 *
 * @param job its name
 * @param token of the leadership under which it runs, and which no other process has
 * @param number counts the runs of that process
 * @param slot in milliseconds since 1970, {@code null} for none
 * @param started when it began, in the same unit
 * @param ended when it ended, in the same unit; {@code null} if it has not
 * @param outcome how it ended
 * @param failure the class of the exception that ended it, {@code null} for none
 * @param node that runs it
 * @param requestedBy who asked for it, and why; {@code null} if it is none by hand
 */
record RecordedRun(
        String job,
        long token,
        long number,
        @Nullable Long slot,
        long started,
        @Nullable Long ended,
        JobRun.Outcome outcome,
        @Nullable String failure,
        String node,
        @Nullable String requestedBy)
        implements Comparable<RecordedRun> {

    private static final String NONE = "-";

    /** Separates the node from who asked it to run the job. */
    private static final String REQUESTER = "\t";

    /** Reads an entry, {@code null} if it is none of a run. */
    static @Nullable RecordedRun parse(String name, String value) {
        int at = name.lastIndexOf('@');
        int dot = name.lastIndexOf('.');
        String[] part = value.split(" ", 6);
        if (at < 0 || dot < at || part.length < 6) {
            return null;
        }
        // No text of a requester has a tab, and earlier versions show both.
        String[] by = part[5].split(REQUESTER, 2);
        try {
            return new RecordedRun(
                    name.substring(0, at),
                    Long.parseLong(name.substring(at + 1, dot)),
                    Long.parseLong(name.substring(dot + 1)),
                    time(part[0]),
                    Long.parseLong(part[1]),
                    time(part[2]),
                    JobRun.Outcome.valueOf(part[3]),
                    part[4].equals(NONE) ? null : part[4],
                    by[0],
                    by.length > 1 ? by[1] : null);
        } catch (IllegalArgumentException notOurs) {
            return null;
        }
    }

    /** Reads entries, and leaves out what is no run. */
    static List<RecordedRun> all(Map<String, String> entries) {
        List<RecordedRun> runs = new ArrayList<>();
        entries.forEach((name, value) -> {
            RecordedRun run = parse(name, value);
            if (run != null) {
                runs.add(run);
            }
        });
        return runs;
    }

    /** The later of two states of one run. */
    static RecordedRun latest(RecordedRun one, RecordedRun other) {
        return other.ended == null ? one : other;
    }

    String name() {
        return job + "@" + token + "." + number;
    }

    String value() {
        return orNone(slot) + " " + started + " " + orNone(ended) + " " + outcome + " " + orNone(failure) + " " + node
                + (requestedBy == null ? "" : REQUESTER + requestedBy);
    }

    RecordedRun endedAt(long time, JobRun.Outcome reached, @Nullable String thrown) {
        return new RecordedRun(job, token, number, slot, started, time, reached, thrown, node, requestedBy);
    }

    /**
     * The run as an application sees it.
     *
     * @param isLeading whether its leadership still holds, or it is known to run
     */
    JobRun of(String election, boolean isLeading) {
        boolean isLost = outcome == JobRun.Outcome.RUNNING && !isLeading;
        return new JobRun(
                election,
                job,
                Optional.ofNullable(slot).map(Instant::ofEpochMilli),
                node,
                new FencingToken(token),
                Instant.ofEpochMilli(started),
                Optional.ofNullable(ended).map(Instant::ofEpochMilli),
                isLost ? JobRun.Outcome.UNKNOWN : outcome,
                Optional.ofNullable(failure),
                Optional.ofNullable(requestedBy));
    }

    /** Orders runs by leadership and number, whatever the clocks of their nodes say. */
    @Override
    public int compareTo(RecordedRun other) {
        int byToken = Long.compare(token, other.token);
        return byToken != 0 ? byToken : Long.compare(number, other.number);
    }

    private static @Nullable Long time(String part) {
        return part.equals(NONE) ? null : Long.valueOf(part);
    }

    private static Object orNone(@Nullable Object value) {
        return value == null ? NONE : value;
    }
}
