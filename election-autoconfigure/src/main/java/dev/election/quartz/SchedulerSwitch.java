package dev.election.quartz;

import dev.election.Election;
import java.time.Duration;
import java.util.List;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.impl.matchers.GroupMatcher;
import org.quartz.listeners.SchedulerListenerSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs a scheduler while this node leads, if the application wants it to run: one that was never started, or that the application
 * has put on standby itself, stays as it is.
 */
final class SchedulerSwitch extends SchedulerListenerSupport {

    private static final Logger log = LoggerFactory.getLogger(SchedulerSwitch.class);

    /** In which there is no trigger. */
    private static final String EMPTY_GROUP = "election.empty";

    /** By then the earlier leader has put its scheduler on standby, unless it has died. */
    private static final List<Duration> LOOK_AGAIN =
            List.of(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(3));

    private final GuardedScheduler guarded;
    private final Scheduler scheduler;
    private final String election;

    /** Set around a change of our own, since Quartz tells of it as of any other, on the same thread. */
    private final ThreadLocal<Boolean> ours = ThreadLocal.withInitial(() -> false);

    private volatile boolean wanted;

    /** Whether what has to be done before a start has been done in this leadership. Guarded by this, as is every change. */
    private boolean ready;

    SchedulerSwitch(GuardedScheduler guarded, String election) {
        this.guarded = guarded;
        this.scheduler = guarded.scheduler();
        this.election = election;
    }

    /** Begins to look after it. */
    void listen() throws SchedulerException {
        scheduler.getListenerManager().addSchedulerListener(this);
        if (!scheduler.isInStandbyMode()) {
            schedulerStarted();
        }
    }

    /** The application, or its context, has started it. It is stopped before it can fire much: what it fires is vetoed. */
    @Override
    public void schedulerStarted() {
        if (ours.get()) {
            return;
        }
        wanted = true;
        adjust();
    }

    @Override
    public void schedulerInStandbyMode() {
        if (!ours.get()) {
            wanted = false;
        }
    }

    /** This node leads, and the scheduler may be started. */
    void lead() {
        setReady(true);
        adjust();
    }

    /** This node leads no more, or will not soon. */
    void follow() {
        setReady(false);
        adjust();
    }

    private synchronized void setReady(boolean ready) {
        this.ready = ready;
    }

    private synchronized void adjust() {
        try {
            if (!wanted || scheduler.isShutdown()) {
                return;
            }
            boolean leads = ready
                    && guarded.elections()
                            .find(election)
                            .filter(Election::isLeader)
                            .isPresent();
            if (leads && scheduler.isInStandbyMode()) {
                log.info("The scheduler '{}' starts: this node leads '{}'", guarded.name(), election);
                change(scheduler::start);
                lookAgain();
            } else if (!leads && !scheduler.isInStandbyMode()) {
                log.info(
                        "The scheduler '{}' is put on standby: this node does not lead '{}'", guarded.name(), election);
                change(scheduler::standby);
            }
        } catch (SchedulerException failure) {
            log.error(
                    "The scheduler '{}' could not be started or put on standby when leadership of '{}' changed. If this node leads, its jobs"
                            + " run on no node: restart this node",
                    guarded.name(),
                    election,
                    failure);
        }
    }

    /**
     * A scheduler that has found nothing to do looks for it again after half a minute, unless it is told that something has changed.
     * What the earlier leader gives back to a store that both share, nobody tells it. To resume triggers is to tell it, and there are none to
     * resume: one that another node fires at this moment can't be.
     */
    private void lookAgain() {
        if (guarded.way().shared()) {
            LOOK_AGAIN.forEach(delay -> guarded.laterBy(delay, "look for what was given back", () -> {
                if (!scheduler.isInStandbyMode() && !scheduler.isShutdown()) {
                    scheduler.resumeTriggers(GroupMatcher.triggerGroupEquals(EMPTY_GROUP));
                }
            }));
        }
    }

    private void change(Change change) throws SchedulerException {
        ours.set(true);
        try {
            change.make();
        } finally {
            ours.remove();
        }
    }

    private interface Change {
        void make() throws SchedulerException;
    }
}
