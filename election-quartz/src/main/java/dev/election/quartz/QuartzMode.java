package dev.election.quartz;

/** How a scheduler is kept from running leader-only jobs on a node that does not lead. */
public enum QuartzMode {
    /** {@link #STANDBY} for a clustered job store, {@link #VETO} for any other. */
    AUTO,
    /** The scheduler fires everywhere, and each firing is vetoed where its job must not run. With a clustered store that loses firings. */
    VETO,
    /** The scheduler is started while its node leads, and put on standby while it does not. */
    STANDBY
}
