package dev.election.spring.internal.interruption;

import dev.election.ForwardingLeaderWork;
import dev.election.LeaderWork;
import dev.election.spring.calls.OverdueWork;
import dev.election.spring.internal.delay.DelayedTasks;
import dev.election.support.ReadableDuration;
import java.time.Duration;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Limits how long calls may run: then a call is stopped, and if it still does not end, this node abdicates, so that another node does the
 * next work. What the call still does is protected by the fencing token only.
 */
public final class CallLimits {

    private static final Logger log = LoggerFactory.getLogger("dev.election");

    /** Time that a call has to end after it was stopped. */
    private static final Duration GRACE = Duration.ofSeconds(10);

    private final OverdueWork overdue;
    private final DelayedTasks tasks;
    private final Duration grace;

    /**
     * Limits no call yet.
     *
     * @param overdue gives up leadership
     * @param tasks run when a limit is reached
     */
    public CallLimits(OverdueWork overdue, DelayedTasks tasks) {
        this(overdue, tasks, GRACE);
    }

    CallLimits(OverdueWork overdue, DelayedTasks tasks, Duration grace) {
        this.overdue = overdue;
        this.tasks = tasks;
        this.grace = grace;
    }

    /**
     * Limits a call from now on, until the returned work is closed.
     *
     * @param what the name of the call, for messages
     * @param atMost how long it may run
     * @param stop stops it as far as that is possible; called once
     * @param work as which it was admitted
     */
    public LeaderWork limit(String what, Duration atMost, Supplier<Stopping> stop, LeaderWork work) {
        Limit limit = new Limit(what, atMost, stop, work);
        limit.next = tasks.after(atMost, limit::stop);
        return limit;
    }

    private final class Limit extends ForwardingLeaderWork {

        private final String what;
        private final Duration atMost;
        private final Supplier<Stopping> stop;
        private volatile DelayedTasks.Planned next = DelayedTasks.NOTHING_PLANNED;
        private volatile boolean closed;

        private Limit(String what, Duration atMost, Supplier<Stopping> stop, LeaderWork work) {
            super(work);
            this.what = what;
            this.atMost = atMost;
            this.stop = stop;
        }

        private void stop() {
            if (closed) {
                return;
            }
            log.warn(
                    "{} in the election '{}' has been running for {} (atMostFor) and {}. If it does not end within {},"
                            + " this node gives up leadership, and another node may do the next work at the same time."
                            + " Token {}",
                    what,
                    election().name(),
                    ReadableDuration.of(atMost),
                    stop.get().text(),
                    ReadableDuration.of(grace),
                    token());
            next = tasks.after(grace, this::giveUp);
        }

        private void giveUp() {
            if (!closed && isCurrent()) {
                overdue.abdicate(
                        election(),
                        what,
                        atMost.plus(grace),
                        "longer than " + ReadableDuration.of(atMost) + " (atMostFor), and has not ended "
                                + ReadableDuration.of(grace) + " after that",
                        grace);
            }
        }

        @Override
        public void close() {
            closed = true;
            next.cancel();
            super.close();
        }
    }
}
