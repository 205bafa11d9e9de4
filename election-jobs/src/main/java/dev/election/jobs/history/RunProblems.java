package dev.election.jobs.history;

import dev.election.store.NoAnswer;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Logs once for all elections of this process that runs of jobs can't be recorded, and once that they are recorded again. */
final class RunProblems {

    private static final Logger log = LoggerFactory.getLogger(RunProblems.class);

    private final Set<String> unrecorded = new HashSet<>();

    synchronized void failed(String election, NoAnswer failure) {
        if (unrecorded.add(election) && unrecorded.size() == 1) {
            log.info(
                    "The runs of the jobs of the election '{}' can't be recorded now: {} ({}: {}). No job waits for that, and the runs are"
                            + " recorded later. Other elections are not logged",
                    election,
                    failure.action(),
                    failure.problem(),
                    failure.detail());
        }
    }

    synchronized void recorded(String election) {
        if (unrecorded.remove(election) && unrecorded.isEmpty()) {
            log.info("The runs of all jobs are recorded again");
        }
    }
}
