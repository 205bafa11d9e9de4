package dev.election.quartz.internal.rules;

import dev.election.Election;
import dev.election.ElectionConfigurationException;
import dev.election.quartz.QuartzMode;
import java.time.Duration;
import org.quartz.Scheduler;
import org.quartz.SchedulerException;
import org.quartz.SchedulerMetaData;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The settings of the application for its schedulers.
 *
 * @param mode how to keep one from running leader-only jobs where it must not
 * @param election which election one follows that is put on standby; {@link QuartzData#EVERY_NODE} for none: then mode AUTO uses vetoes,
 *     and mode STANDBY fails the start
 * @param confirmClaims whether a job begins only when the store has confirmed that its slot is claimed
 * @param recoverWithin how long a firing that was missed is worth being fired late; zero: not at all
 */
public record SchedulerChoice(QuartzMode mode, String election, boolean confirmClaims, Duration recoverWithin) {

    private static final Logger log = LoggerFactory.getLogger(SchedulerChoice.class);

    /** Decides how the scheduler is guarded, and logs how and why. */
    public SchedulerGuard guard(Scheduler scheduler) throws SchedulerException {
        SchedulerMetaData about = scheduler.getMetaData();
        boolean shared = about.isJobStoreClustered();
        boolean free = election.equals(QuartzData.EVERY_NODE);
        boolean standby = mode == QuartzMode.STANDBY || (mode == QuartzMode.AUTO && shared && !free);
        if (standby && !Election.isName(election)) {
            throw new ElectionConfigurationException(
                    "The scheduler '" + about.getSchedulerName()
                            + "' is to be on standby on nodes that do not lead, and needs one election for that, but election.quartz.election is '"
                            + election + "'",
                    "Set it to the name of one election (1 to 64 of A-Z a-z 0-9 . _ : -), or election.quartz.mode to veto.");
        }
        String store = about.getJobStoreClass().getSimpleName();
        String chosen = mode == QuartzMode.AUTO ? "chosen" : "set";
        if (standby) {
            log.info(
                    "The Quartz scheduler '{}' is on standby unless this node leads '{}': {}, {} is {}",
                    about.getSchedulerName(),
                    election,
                    chosen,
                    store,
                    shared ? "clustered, and a veto would end a firing for all nodes" : "local");
        } else if (shared) {
            log.warn(
                    "The Quartz scheduler '{}' is guarded by vetoes, but {} is clustered: each firing that a node takes which does"
                            + " not lead is LOST for all nodes. Set election.quartz.mode to auto or standby, and an election for"
                            + " it to follow",
                    about.getSchedulerName(),
                    store);
        } else {
            log.info(
                    "The Quartz scheduler '{}' fires on every node, and a veto keeps jobs off nodes that do not lead: {}, {} is"
                            + " local",
                    about.getSchedulerName(),
                    chosen,
                    store);
        }
        return new SchedulerGuard(standby ? election : null, shared, confirmClaims, recoverWithin);
    }
}
