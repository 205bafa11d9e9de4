package dev.election.members;

/** The recipient of a message. */
public sealed interface Recipient {

    /** The member with that node id, or with that instance. If several have the id, the one that joined last. */
    static One member(String id) {
        return new OneMember(id);
    }

    /** The member that leads that election, as far as this process knows. It may be this one. */
    static One leaderOf(String election) {
        return new LeaderOf(election);
    }

    /** All members that handle the type, this process included. */
    static All all() {
        return new All();
    }

    /** A single member. */
    sealed interface One extends Recipient {}

    /**
     * A member.
     *
     * @param id its node id, or its instance
     */
    record OneMember(String id) implements One {}

    /**
     * The leader of an election.
     *
     * @param election its name
     */
    record LeaderOf(String election) implements One {}

    /** All members. */
    record All() implements Recipient {}
}
