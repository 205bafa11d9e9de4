package dev.election.quartz.internal.scheduler;

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
 * Starts a scheduler when this node leads and puts it on standby when it does not. A scheduler that the application never started, or has put
 * on standby itself, is left alone.
 */
public final class SchedulerSwitch extends SchedulerListenerSupport {

    private static final Logger log = LoggerFactory.getLogger(SchedulerSwitch.class);

    /** A trigger group without triggers. */
    private static final String EMPTY_GROUP = "election.empty";

    /** After these delays an earlier leader that is alive has put its scheduler on standby. */
    private static final List<Duration> LOOK_AGAIN =
            List.of(Duration.ofMillis(200), Duration.ofSeconds(1), Duration.ofSeconds(3));

    private final GuardedScheduler guarded;
    private final Scheduler scheduler;
    private final String election;

    /** Set during a change of our own: Quartz calls its listeners for that too, on the same thread. */
    private final ThreadLocal<Boolean> ours = ThreadLocal.withInitial(() -> false);

    private volatile boolean wanted;

    /** Whether what has to be done before a start has been done in this leadership. Guarded by this, as is every change. */
    private boolean ready;

    public SchedulerSwitch(GuardedScheduler guarded, String election) {
        this.guarded = guarded;
        this.scheduler = guarded.scheduler();
        this.election = election;
    }

    /** Begins to control the scheduler. */
    public void listen() throws SchedulerException {
        scheduler.getListenerManager().addSchedulerListener(this);
        if (!scheduler.isInStandbyMode()) {
            schedulerStarted();
        }
    }

    /**
     * Called when the application or its context has started the scheduler. If this node does not lead, firings until the standby are
     * vetoed.
     */
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

    /** Starts the scheduler if the application has started it, since this node leads. */
    public void lead() {
        setReady(true);
        adjust();
    }

    /** Puts the scheduler on standby, since this node does not lead any more, or is about to stop leading. */
    public void follow() {
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
     * An idle Quartz scheduler looks for due triggers only every 30 s unless it is signalled. Nothing signals it when an earlier leader gives
     * firings back to a shared job store. Resuming the triggers of a group does; the group is empty, so that no trigger is changed that
     * another node may be firing.
     */
    private void lookAgain() {
        if (guarded.guard().shared()) {
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
