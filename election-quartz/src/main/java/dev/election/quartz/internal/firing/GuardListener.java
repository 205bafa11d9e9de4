package dev.election.quartz.internal.firing;

import dev.election.jobs.history.JobHistory;
import dev.election.quartz.internal.rules.JobGuard;
import dev.election.quartz.internal.rules.SchedulerRules;
import dev.election.quartz.internal.scheduler.GuardedScheduler;
import dev.election.quartz.internal.scheduler.RunningJob;
import dev.election.quartz.internal.trigger.Firing;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.quartz.JobDetail;
import org.quartz.JobExecutionContext;
import org.quartz.JobExecutionException;
import org.quartz.JobListener;
import org.quartz.SchedulerException;
import org.quartz.Trigger;
import org.quartz.Trigger.CompletedExecutionInstruction;
import org.quartz.TriggerListener;
import org.quartz.listeners.SchedulerListenerSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Lets a job run where it may, as soon as its slot is claimed. Never throws: a trigger whose listener throws is blocked for good. Quartz
 * calls it several times for one firing, always on the thread that runs the job.
 */
public final class GuardListener implements TriggerListener, JobListener {

    private static final Logger log = LoggerFactory.getLogger(GuardListener.class);

    private static final String NAME = "election";

    /** The job that a thread runs. */
    private static final ThreadLocal<@Nullable RunningJob> CURRENT = new ThreadLocal<>();

    private final GuardedScheduler guarded;
    private final SchedulerRules rules;
    private final Admission admission;
    private final SlotClaims claims;
    private final JobHistory history;

    public GuardListener(
            GuardedScheduler guarded,
            SchedulerRules rules,
            Admission admission,
            SlotClaims claims,
            JobHistory history) {
        this.guarded = guarded;
        this.rules = rules;
        this.admission = admission;
        this.claims = claims;
        this.history = history;
    }

    /** Adds the listeners to the scheduler. */
    public void listen() throws SchedulerException {
        guarded.scheduler().getListenerManager().addTriggerListener(this);
        guarded.scheduler().getListenerManager().addJobListener(this);
        guarded.scheduler().getListenerManager().addSchedulerListener(new Ends());
    }

    @Override
    public String getName() {
        return NAME;
    }

    @Override
    public boolean vetoJobExecution(Trigger trigger, JobExecutionContext context) {
        try {
            // Left over if a listener of the application has thrown: then Quartz reports no end.
            end();
            return !admit(context);
        } catch (Throwable failure) {
            end();
            log.error("Job {} is not run: it could not be decided whether this node may run it", key(context), failure);
            return true;
        }
    }

    @Override
    public void jobToBeExecuted(JobExecutionContext context) {
        ofCurrent(job -> {
            claims.begun(job);
            job.recorded(history.begin(
                    job.guard().election(),
                    String.valueOf(context.getJobDetail().getKey()),
                    Instant.ofEpochMilli(job.firing().slot()),
                    job.token()));
        });
    }

    /** Ends the job, also after a veto by a listener of the application, which wants the slot left out. */
    @Override
    public void jobExecutionVetoed(JobExecutionContext context) {
        ofCurrent(job -> ended(job, null));
    }

    @Override
    public void jobWasExecuted(JobExecutionContext context, @Nullable JobExecutionException failure) {
        ofCurrent(job -> ended(job, failure));
    }

    @Override
    public void triggerFired(Trigger trigger, JobExecutionContext context) {
        if (Firing.Kind.of(trigger) == Firing.Kind.RECOVERY) {
            RecoveringFlag.raise(context);
        }
    }

    @Override
    public void triggerMisfired(Trigger trigger) {}

    @Override
    public void triggerComplete(Trigger trigger, JobExecutionContext context, CompletedExecutionInstruction code) {}

    private boolean admit(JobExecutionContext context) {
        JobGuard guard = rules.guard(context);
        if (guard == null) {
            return true;
        }
        Optional<RunningJob> admitted = admission.admit(guard, context);
        return admitted.isPresent() && begin(admitted.get());
    }

    private boolean begin(RunningJob job) {
        CURRENT.set(job);
        guarded.began(job);
        if (claims.claim(job)) {
            return true;
        }
        claims.fireLater(job);
        end(job);
        return false;
    }

    private void ended(RunningJob job, @Nullable Throwable failure) {
        job.failed(causeOf(failure));
        end(job);
    }

    /** The exception of the job itself, which Quartz wraps. */
    private static @Nullable Throwable causeOf(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof SchedulerException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    private void end() {
        RunningJob job = CURRENT.get();
        if (job != null) {
            end(job);
        }
    }

    private void end(RunningJob job) {
        CURRENT.remove();
        guarded.ended(job);
    }

    /** Notes something of the job that this thread runs, if it is a guarded one. */
    private static void ofCurrent(Consumer<RunningJob> note) {
        RunningJob job = CURRENT.get();
        if (job != null) {
            quietly(() -> note.accept(job));
        }
    }

    private static void quietly(Runnable note) {
        try {
            note.run();
        } catch (RuntimeException | LinkageError failure) {
            log.error("Failed to record the firing of a slot; the next leader may run it again", failure);
        }
    }

    private static Object key(JobExecutionContext context) {
        JobDetail job = context.getJobDetail();
        return job == null ? "A job" : job.getKey();
    }

    /** Listener to ends of firings that Quartz does not report to listeners of jobs. */
    private final class Ends extends SchedulerListenerSupport {

        /** Called on the thread of a firing when the job or a listener of the application has thrown. */
        @Override
        public void schedulerError(String message, SchedulerException cause) {
            ofCurrent(job -> ended(job, cause));
        }

        /** Notes the end of a trigger that catches up: its misfire instruction may let it end without a firing. */
        @Override
        public void triggerFinalized(Trigger trigger) {
            if (Firing.Kind.of(trigger) == Firing.Kind.CATCH_UP) {
                quietly(() -> claims.caughtUp(trigger));
            }
        }
    }
}
