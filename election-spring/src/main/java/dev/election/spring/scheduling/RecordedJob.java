package dev.election.spring.scheduling;

import dev.election.LeaderWork;
import dev.election.ScheduledSlot;
import dev.election.jobs.history.JobHistory;
import dev.election.spring.calls.JobGate;
import java.util.Optional;

/**
 * A job whose runs are recorded.
 *
 * @param name of the job
 * @param election that guards it
 * @param gate decides on its calls
 * @param history where its runs are recorded
 */
record RecordedJob(String name, String election, JobGate.Job gate, JobHistory history) implements JobGate.Job {

    @Override
    public Optional<LeaderWork> enter(LeaderWork work) {
        return gate.enter(work);
    }

    @Override
    public LeaderWork begun(LeaderWork work) {
        LeaderWork begun = gate.begun(work);
        JobWork own = begun instanceof JobWork known ? known : new JobWork(begun, null, null);
        return own.running(history.begin(
                election, name, own.slot().map(ScheduledSlot::scheduledAt).orElse(null), own.token()));
    }
}
