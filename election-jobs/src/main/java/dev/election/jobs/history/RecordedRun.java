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
 * @param state the run in its present state, with times in milliseconds; no other process has its token
 * @param number counts the runs of that process
 */
record RecordedRun(JobRun state, long number) implements Comparable<RecordedRun> {

    private static final String NONE = "-";

    /** Separates the node from who asked it to run the job. */
    private static final String REQUESTER = "\t";

    /** Reads an entry of an election, {@code null} if it is none of a run. */
    static @Nullable RecordedRun parse(String election, String name, String value) {
        int at = name.lastIndexOf('@');
        int dot = name.lastIndexOf('.');
        String[] part = value.split(" ", 6);
        if (at < 0 || dot < at || part.length < 6) {
            return null;
        }
        // No text of a requester has a tab, and earlier versions show both.
        String[] by = part[5].split(REQUESTER, 2);
        try {
            JobRun state = new JobRun(
                    election,
                    name.substring(0, at),
                    time(part[0]),
                    by[0],
                    new FencingToken(Long.parseLong(name.substring(at + 1, dot))),
                    Instant.ofEpochMilli(Long.parseLong(part[1])),
                    time(part[2]),
                    JobRun.Outcome.valueOf(part[3]),
                    Optional.of(part[4]).filter(failure -> !failure.equals(NONE)),
                    by.length > 1 ? Optional.of(by[1]) : Optional.empty());
            return new RecordedRun(state, Long.parseLong(name.substring(dot + 1)));
        } catch (IllegalArgumentException notOurs) {
            return null;
        }
    }

    /** Reads entries of an election, and leaves out what is no run. */
    static List<RecordedRun> all(String election, Map<String, String> entries) {
        List<RecordedRun> runs = new ArrayList<>();
        entries.forEach((name, value) -> {
            RecordedRun run = parse(election, name, value);
            if (run != null) {
                runs.add(run);
            }
        });
        return runs;
    }

    /** The later of two states of one run. */
    static RecordedRun latest(RecordedRun one, RecordedRun other) {
        return other.state.endedAt().isEmpty() ? one : other;
    }

    String job() {
        return state.job();
    }

    String name() {
        return state.job() + "@" + state.token() + "." + number;
    }

    String value() {
        return text(state.slot()) + " " + state.startedAt().toEpochMilli() + " " + text(state.endedAt()) + " "
                + state.outcome() + " " + state.failure().orElse(NONE) + " " + state.node()
                + state.requestedBy().map(REQUESTER::concat).orElse("");
    }

    RecordedRun endedAt(Instant time, JobRun.Outcome reached, @Nullable String thrown) {
        return new RecordedRun(with(Optional.of(time), reached, Optional.ofNullable(thrown)), number);
    }

    /**
     * The run as an application sees it.
     *
     * @param isLeading whether its leadership still holds, or it is known to run
     */
    JobRun seen(boolean isLeading) {
        boolean isLost = state.outcome() == JobRun.Outcome.RUNNING && !isLeading;
        return isLost ? with(state.endedAt(), JobRun.Outcome.UNKNOWN, state.failure()) : state;
    }

    private JobRun with(Optional<Instant> endedAt, JobRun.Outcome outcome, Optional<String> failure) {
        return new JobRun(
                state.election(),
                state.job(),
                state.slot(),
                state.node(),
                state.token(),
                state.startedAt(),
                endedAt,
                outcome,
                failure,
                state.requestedBy());
    }

    /** Orders runs by leadership and number, whatever the clocks of their nodes say. */
    @Override
    public int compareTo(RecordedRun other) {
        int byToken = state.token().compareTo(other.state.token());
        return byToken != 0 ? byToken : Long.compare(number, other.number);
    }

    private static Optional<Instant> time(String part) {
        return part.equals(NONE) ? Optional.empty() : Optional.of(Instant.ofEpochMilli(Long.parseLong(part)));
    }

    private static String text(Optional<Instant> time) {
        return time.map(at -> Long.toString(at.toEpochMilli())).orElse(NONE);
    }
}
