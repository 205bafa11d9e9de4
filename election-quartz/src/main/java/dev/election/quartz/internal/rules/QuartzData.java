package dev.election.quartz.internal.rules;

/** The keys and groups by which Quartz jobs and the elections exchange data. */
public final class QuartzData {

    /**
     * In the data of a job or a trigger: the name of the election that guards it, which may hold {@code ${...}} placeholders, or
     * {@link #EVERY_NODE}.
     */
    public static final String ELECTION = "election";

    /** In the place of an election's name: the job runs on every node. */
    public static final String EVERY_NODE = "*";

    /** In {@code JobExecutionContext.get}: the {@link dev.election.FencingToken} under which the job runs. */
    public static final String FENCING_TOKEN = "election.fencing-token";

    /** The group of the triggers that fire what an earlier leader missed. */
    public static final String CATCH_UP_GROUP = "election.catch-up";

    /** In the data of a trigger that catches up, or was handed back: the name of the trigger whose firing was missed. */
    public static final String MISSED_TRIGGER_NAME = "election.missed-trigger.name";

    /** In the data of a trigger that catches up, or was handed back: the group of the trigger whose firing was missed. */
    public static final String MISSED_TRIGGER_GROUP = "election.missed-trigger.group";

    /** The group of the triggers that a node which no longer leads leaves to its successor in a store that both share. */
    public static final String HANDED_BACK_GROUP = "election.handed-back";

    /** In the data of a trigger that fires a slot again: how often its claim was not confirmed. */
    public static final String UNCONFIRMED = "election.unconfirmed";

    /**
     * In the data of a trigger that fires a slot again, in a store that nodes share: the claims of the slot under which the job did not
     * begin.
     */
    public static final String UNUSED_CLAIMS = "election.unused-claims";

    /** In the data of a trigger that catches up: the token of the leader that has scheduled it, and that alone may let it run. */
    public static final String CATCHING_UP_UNDER = "election.catching-up-under";

    public static final String MARK = "election.mark";

    private QuartzData() {}
}
